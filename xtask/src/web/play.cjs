// Plays demos of a page in a headless browser with a renderer in software, and takes two pictures of each:
// node play.cjs BROWSER PAGE PICTURES NAME...
// With `NAME:tap`, a finger touches the canvas between the two pictures. With `NAME:D`, it touches the page's key D.
const [browserPath, page, pictures, ...plays] = process.argv.slice(2);
const { createServer } = require("node:http");
const { readFileSync } = require("node:fs");
const { extname, join, normalize } = require("node:path");
const puppeteer = require("puppeteer-core");

const kinds = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".png": "image/png", ".webp": "image/webp" };
const FRAMES = 30;

function serve(request, response) {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  const file = path === "/" ? "/index.html" : path;
  try {
    response.writeHead(200, { "content-type": kinds[extname(file)] ?? "text/plain" });
    response.end(readFileSync(join(page, file)));
  } catch {
    response.writeHead(404).end();
  }
}

/** Waits for `count` frames of the game. Returns the number of frames per second. */
async function frames(tab, count) {
  const begun = performance.now();
  const last = count + await tab.evaluate(() => window.drawn);
  await tab.waitForFunction(last => window.drawn >= last, { timeout: 300_000 }, last);
  return 1000 * count / (performance.now() - begun);
}

async function play(browser, address, name, finger) {
  const tab = await browser.newPage();
  const errors = [];
  tab.on("console", message => message.type() === "error" && errors.push(message.text()));
  tab.on("pageerror", error => errors.push(String(error)));
  tab.on("response", response => response.status() >= 400 && errors.push(`${response.status()} ${response.url()}`));
  await tab.setViewport({ width: 1280, height: 796, hasTouch: true });
  await tab.evaluateOnNewDocument(() => {
    window.drawn = 0;
    const next = window.requestAnimationFrame;
    window.requestAnimationFrame = draw => next.call(window, time => { window.drawn += 1; draw(time) });
  });
  await tab.goto(address + (name ? `?demo=${name}` : ""), { timeout: 120_000 });
  const picture = number => tab.screenshot({ path: join(pictures, `${name || "index"}-${number}.png`) });
  let rate = "";
  if (name) {
    await tab.waitForSelector("canvas", { timeout: 300_000 });
    await frames(tab, FRAMES);
    await picture(1);
    const at = finger === "tap" ? { x: 800, y: 300 } : finger && await place(tab, finger);
    if (at) await tab.touchscreen.touchStart(at.x, at.y);
    rate = (await frames(tab, FRAMES)).toFixed(1) + " frames per second";
    if (at) await tab.touchscreen.touchEnd();
    await picture(2);
  } else {
    await tab.waitForNetworkIdle();
    await picture(1);
  }
  await tab.close();
  console.log(`${(name || "index").padEnd(16)} ${rate}`);
  errors.forEach(error => console.error(`  ${error}`));
  return errors.length === 0;
}

/** The middle of the page's button for a key. */
async function place(tab, key) {
  const buttons = await tab.$$("footer button");
  for (const button of buttons) {
    if (await button.evaluate(button => button.textContent) !== key) continue;
    const { x, y, width, height } = await button.boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  }
  throw new Error(`no key ${key}`);
}

async function main() {
  const server = createServer(serve);
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${server.address().port}/`;
  const args = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"];
  const browser = await puppeteer.launch({ executablePath: browserPath, headless: true, args, protocolTimeout: 300_000 });
  for (const one of plays) {
    const [name, finger] = one.split(":");
    const isGood = await play(browser, address, name, finger).catch(error => console.error(`${name}: ${error}`));
    if (!isGood) process.exitCode = 1;
  }
  await browser.close();
  server.close();
}

main();
