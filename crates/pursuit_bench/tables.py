#!/usr/bin/env python3
"""Tables of what `pursuit_bench ... --json FILE` wrote, in Markdown.

    tables.py FILE.json...                     prints them
    tables.py FILE.json... --into DOCUMENT.md  replaces those between the document's
                                               lines `<!-- NAME: begin -->` and `<!-- NAME: end -->`
"""

import json
import sys


def digits(count):
    return lambda value: "" if value is None else f"{value:.{count}f}"


def us(value):
    """A time with the digits that matter."""
    if value is None:
        return ""
    return f"{value:.{2 if value < 10 else 1 if value < 1000 else 0}f}"


def times(ratio):
    """A ratio with the digits that matter."""
    if ratio is None:
        return ""
    return f"{ratio:.{2 if ratio < 10 else 1 if ratio < 100 else 0}f}"


def percent(share):
    return "" if share is None else f"{100 * share:.2f} %"


def at(row, path):
    for key in path.split("."):
        row = row.get(key) if isinstance(row, dict) else None
    return row


def table(rows, columns, texts=1):
    """A line per row. Columns are titles, each with a path of keys and a format."""
    lines = [[title for title, *_ in columns]]
    lines.append(["---" if i < texts else "---:" for i in range(len(columns))])
    for row in rows:
        cells = []
        for _, path, *form in columns:
            value = path(row) if callable(path) else at(row, path)
            cells.append(form[0](value) if form else "" if value is None else str(value))
        lines.append(cells)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def side_by_side(figures, cell, overall):
    """A line per algorithm, a column per set."""
    rows = figures["rows"]
    by = {(row["set"], row["algorithm"]): row for row in rows}
    columns = [("µs", lambda name: name)]
    for name in dict.fromkeys(row["set"] for row in rows):
        of = lambda algorithm, name=name: cell(by.get((name, algorithm), {}))
        columns.append((name, of))
    means = {one["algorithm"]: times(one["times_peer"]) + "×" for one in figures["overall"]}
    if overall and means:
        columns.append(("geometric mean", lambda name: means.get(name, "")))
    return table(dict.fromkeys(row["algorithm"] for row in rows), columns)


def search(figures):
    def with_ratio(row):
        ratio = row.get("times_peer")
        return us(row.get("mean_us")) + (f" ({times(ratio)}×)" if ratio else "")

    def every(count):
        return "all queries" if count == 1 else f"one query in {count}"

    setup = f"Measured on {figures['machine']}. Our searches answered {every(figures['every'])} of the scenarios."
    if figures["peers_every"]:
        setup += f" The peers answered {every(figures['peers_every'])} of these."
    setup += f" Reading the clock takes {figures['clock_ns']:.0f} ns, which is taken off each time."
    if figures["rounds"] > 1:
        setup += f" Each time is the least of {figures['rounds']}."
    rows, named = figures["rows"], [("set", "set"), ("algorithm", "algorithm")]
    means = [{"set": "geometric mean", **one} for one in figures["overall"]]
    spread = [(f"{key} us", f"{key}_us", us) for key in ("mean", "p50", "p95", "p99", "max", "short")]
    details = [*named, ("queries", "queries"), *spread, ("expanded", "expanded", digits(0)),
               ("wrong", "wrong"), ("illegal", "illegal")]
    if means:
        details.append(("x peer", "times_peer", times))
    prepared = [(title, "preparation." + key, form) for title, key, form in [
        ("maps", "maps", str), ("refused", "refused", str),
        ("mean ms", "mean_ms", us), ("worst ms", "worst_ms", us),
        ("bytes/cell", "mean_bytes_per_cell", digits(1)),
        ("worst bytes/cell", "worst_bytes_per_cell", digits(1))]]
    excess = [("set", "set"), ("peer", "algorithm"), ("queries", "queries"), ("missed", "wrong"),
              ("illegal", "illegal"), ("legal paths", "excess.paths"),
              ("mean excess %", "excess.mean_percent", digits(2)),
              ("worst %", "excess.worst_percent", digits(2))]
    unreachable = [("set", "set"), ("unreachable", "unreachable"), ("answer ns", "answer_ns", us),
                   ("path us", "unreachable_us", us), ("blocked", "blocked"),
                   ("path us", "blocked_us", us), ("wrong", "wrong")]
    moving = [*named, ("ticks", "ticks"), *[(f"{key} us", f"{key}_us", us) for key in ("mean", "p99", "max")],
              ("checked", "checked"), ("wrong", "wrong")]
    return {
        "setup": setup,
        "overview": side_by_side(figures, with_ratio, True),
        "short": side_by_side(figures, lambda row: us(row.get("short_us")), False),
        "details": table(rows + means, details, 2),
        "preparation": table([row for row in rows if row.get("preparation")], named + prepared, 2),
        "excess": table([row for row in rows if row["peer"]], excess, 2),
        "unreachable": table(figures["unreachable"], unreachable),
        "moving": table(figures["moving"], moving, 2),
    }


def bake(report):
    levels = report["levels"]
    names = dict.fromkeys(layer["layer"] for level in levels for layer in level["layers"])

    def layer(name):
        def cell(level):
            found = [layer for layer in level["layers"] if layer["layer"] == name]
            return "".join(f"{us(one['ms'])} ({one['ns_per_cell']:.2f})" for one in found)
        return cell

    columns = [("level", "level"), ("size", "size"), ("boxes", "colliders")]
    columns += [(name, layer(name)) for name in names]
    setup = (f"Milliseconds, and nanoseconds per cell; the least of {report['rounds']} rounds. Distances up to "
             f"{report['cap']:g} cells, the layers of a body of {report['radius']:.2g} cells.")
    remarks = "".join(f"- {remark}\n" for remark in report["remarks"])
    return {"bake": f"{setup}\n\n{table(levels, columns)}\n{remarks}"}


def feel(report):
    maps = report["maps"] + ([{**report, "map": "worst of all"}] if len(report["maps"]) > 1 else [])
    four, two = digits(4), digits(2)
    ratios = [(title, key, four) for title, key in [
        ("ratio p50", "ratio_p50"), ("ratio p95", "ratio_p95"),
        ("path p50", "path_ratio_p50"), ("path p95", "path_ratio_p95")]]
    return {"feel": table(maps, [
        ("map", "map"), ("speed", "speed", two), ("trips", "trips"), *ratios,
        ("other way", "other_way_share", percent), ("same way p95", "same_way_path_ratio_p95", four),
        ("reversals/min", "reversals_per_minute", two), ("reference", "reference_reversals_per_minute", two),
        ("slow", "slow_share", percent), ("wall", "wall_ratio_min", four), ("Hz spread", "hz_spread", percent),
        ("moving: reversals/min", "moving.reversals_per_minute", two),
        ("player", "moving.player_reversals_per_minute", two),
        ("slow", "moving.slow_share", percent), ("wall", "moving.wall_ratio_min", four)])}


def curve(report):
    rows, sides = report["curve"], dict.fromkeys(row["side"] for row in report["curve"])

    def ticks(side):
        def cell(agents):
            found = [row["tick_ms"] for row in rows if (row["side"], row["agents"]) == (side, agents)]
            return "".join(f"{us(one['p50'])} / {us(one['p99'])}" for one in found)
        return cell

    columns = [("Agents", lambda agents: f"{agents:,}")] + [(side, ticks(side)) for side in sides]
    of_all, two = [("side", "side"), ("agents", "agents")], digits(2)
    details = [*of_all, ("ticks", "ticks"), ("CPU p50", "tick_ms.cpu_p50", us), ("CPU p99", "tick_ms.cpu_p99", us),
               ("plugin p50", "main_thread_ms.p50", us), ("plugin p99", "main_thread_ms.p99", us),
               ("all threads", "all_threads_cpu_ms", us), ("first second, worst", "first_second_ms.max", us)]
    chase = [*of_all, ("moved, least", "moved_share", percent), ("moved", "moved_mean", percent),
             ("nearer", "nearer", percent), ("progress", "progress", two), ("over", "over", percent),
             ("deep", "deep", percent), ("worst", "worst", two), ("wall overlaps", "wall_overlaps")]
    return {"curve": table(dict.fromkeys(row["agents"] for row in rows), columns),
            "curve details": table(rows, details, 1), "curve chase": table(rows, chase, 1)}


def figures_of(value, key=""):
    """Lines of keys and figures."""
    if isinstance(value, dict):
        return "".join(figures_of(part, f"{key}.{name}".lstrip(".")) for name, part in value.items())
    if isinstance(value, list) and any(isinstance(part, dict) for part in value):
        return "".join(figures_of(part, f"{key}.{i}") for i, part in enumerate(value))
    shown = f"{value:.4g}" if isinstance(value, float) else value
    return f"{key:<36}{shown}\n"


KINDS = [("unreachable", search), ("levels", bake), ("reference", feel), ("curve", curve)]
LISTS = [("openings", "edit"), ("burst", "requests"), ("all_ms", "ask"), ("caught", "chase")]


def blocks_of(report):
    for key, make in KINDS:
        if key in report:
            return make(report)
    name = next(name for key, name in LISTS if key in report)
    return {name: f"```text\n{figures_of(report)}```"}


def replace(text, name, block):
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    if begin not in text or end not in text:
        sys.exit(f"no lines `{begin.strip()}` and `{end}`")
    before, rest = text.split(begin, 1)
    return f"{before}{begin}\n{block.strip()}\n\n{end}{rest.split(end, 1)[1]}"


def main(args):
    document = args[args.index("--into") + 1] if "--into" in args else None
    files = args[:args.index("--into")] if document else args
    if not files:
        sys.exit(__doc__)
    text = open(document, encoding="utf-8").read() if document else ""
    for file in files:
        for name, block in blocks_of(json.load(open(file, encoding="utf-8"))).items():
            if document:
                text = replace(text, name, block)
            else:
                print(f"{name}\n\n{block.strip()}\n")
    if document:
        open(document, "w", encoding="utf-8").write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
