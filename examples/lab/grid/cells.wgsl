// Draws the board: floor, mud and walls, and the marks of a search. A texel is a cell.
#import bevy_sprite::mesh2d_vertex_output::VertexOutput

// The color of the mark of each cell. Alpha is twice the cost of the cell, 0 for a wall, plus 1 if the cell has a mark.
@group(#{MATERIAL_BIND_GROUP}) @binding(0) var cells: texture_2d<f32>;

fn srgb(r: f32, g: f32, b: f32) -> vec3<f32> {
    return pow(vec3(r, g, b) / 255.0, vec3(2.2));
}

// Columns and rows.
fn size() -> vec2<f32> {
    return vec2<f32>(textureDimensions(cells));
}

// Beyond the border there are walls.
fn cost_at(cell: vec2<f32>) -> f32 {
    if any(cell < vec2(0.0)) || any(cell >= size()) {
        return 0.0;
    }
    return floor(round(textureLoad(cells, vec2<i32>(cell), 0).a * 255.0) / 2.0);
}

// The color of a mark; its alpha is 0 if there is none.
fn mark_at(cell: vec2<f32>) -> vec4<f32> {
    let texel = textureLoad(cells, vec2<i32>(cell), 0);
    return vec4(texel.rgb, round(texel.a * 255.0) % 2.0);
}

fn is_wall(cell: vec2<f32>) -> f32 {
    return select(0.0, 1.0, cost_at(cell) < 0.5);
}

fn hash(p: vec2<f32>) -> f32 {
    return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.547);
}

fn floor_color(cell: vec2<f32>, cost: f32) -> vec3<f32> {
    let checker = (cell.x + cell.y) % 2.0;
    let slate = mix(srgb(76.0, 85.0, 108.0), srgb(71.0, 79.0, 101.0), checker);
    let deep = clamp((cost - 2.0) / 5.0, 0.0, 1.0);
    let mud = mix(srgb(124.0, 84.0, 54.0), srgb(88.0, 56.0, 36.0), deep);
    return select(slate, mud, cost > 1.5);
}

// A mark lies on the floor and lets a little of it through, so that mud stays visible.
fn flat_color(cell: vec2<f32>) -> vec3<f32> {
    let cost = cost_at(cell);
    if cost < 0.5 {
        return srgb(25.0, 26.0, 38.0);
    }
    let mark = mark_at(cell);
    return mix(floor_color(cell, cost), mark.rgb, mark.a * select(1.0, 0.82, cost > 1.5));
}

// Distance to a box with round corners around the origin.
fn rounded(p: vec2<f32>, half: f32, radius: f32) -> f32 {
    let q = abs(p) - half + radius;
    return length(max(q, vec2(0.0))) + min(max(q.x, q.y), 0.0) - radius;
}

fn wall_color(cell: vec2<f32>, p: vec2<f32>, soft: f32) -> vec3<f32> {
    let top = srgb(30.0, 31.0, 46.0);
    var color = top;
    let below = 1.0 - is_wall(cell + vec2(0.0, 1.0));
    let above = 1.0 - is_wall(cell + vec2(0.0, -1.0));
    let left = 1.0 - is_wall(cell + vec2(-1.0, 0.0));
    let right = 1.0 - is_wall(cell + vec2(1.0, 0.0));
    // A rim of light around the top of the wall, and its face where it ends below.
    let rim = srgb(62.0, 64.0, 90.0);
    let edge = 0.09;
    color = mix(color, rim, above * (1.0 - smoothstep(edge - soft, edge + soft, p.y)));
    color = mix(color, rim, 0.5 * left * (1.0 - smoothstep(edge - soft, edge + soft, p.x)));
    color = mix(color, rim, 0.5 * right * smoothstep(1.0 - edge - soft, 1.0 - edge + soft, p.x));
    let face = mix(srgb(15.0, 15.0, 24.0), srgb(11.0, 11.0, 18.0), (p.y - 0.7) / 0.3);
    color = mix(color, face, below * smoothstep(0.7 - soft, 0.7 + soft, p.y));
    return color;
}

fn shade(cell: vec2<f32>, p: vec2<f32>) -> f32 {
    let above = is_wall(cell + vec2(0.0, -1.0)) * (1.0 - smoothstep(0.0, 0.5, p.y));
    let left = is_wall(cell + vec2(-1.0, 0.0)) * (1.0 - smoothstep(0.0, 0.32, p.x));
    let right = is_wall(cell + vec2(1.0, 0.0)) * (1.0 - smoothstep(0.0, 0.2, 1.0 - p.x));
    let corner = is_wall(cell + vec2(-1.0, -1.0)) * (1.0 - smoothstep(0.0, 0.5, length(p)));
    return 1.0 - 0.45 * max(max(above, corner), max(left * 0.8, right * 0.6));
}

fn near_color(cell: vec2<f32>, p: vec2<f32>, pixels: f32) -> vec3<f32> {
    let soft = 0.7 / pixels;
    let cost = cost_at(cell);
    if cost < 0.5 {
        return wall_color(cell, p, soft);
    }
    var color = floor_color(cell, cost);
    if cost > 1.5 {
        let grain = hash(floor((cell + p) * 8.0));
        color *= 0.9 + 0.2 * grain;
    } else {
        // Seams between the flags of the floor.
        let seam = min(min(p.x, p.y), min(1.0 - p.x, 1.0 - p.y));
        color *= 0.88 + 0.12 * smoothstep(0.0, 1.2 / pixels + 0.02, seam);
    }
    let mark = mark_at(cell);
    let inset = clamp(1.0 / pixels, 0.02, 0.08);
    let d = rounded(p - 0.5, 0.5 - inset, 0.16);
    let light = mix(1.07, 0.92, p.y);
    let cover = mark.a * (1.0 - smoothstep(-soft, soft, d)) * select(1.0, 0.86, cost > 1.5);
    color = mix(color * shade(cell, p), mark.rgb * light * mix(1.0, shade(cell, p), 0.6), cover);
    return color;
}

@fragment
fn fragment(mesh: VertexOutput) -> @location(0) vec4<f32> {
    let at = mesh.uv * size();
    let step = max(fwidth(at.x), 1e-6);
    let pixels = 1.0 / step;
    let cell = clamp(floor(at), vec2(0.0), size() - 1.0);
    if pixels >= 1.0 {
        let near = near_color(cell, clamp(at - cell, vec2(0.0), vec2(1.0)), max(pixels, 3.0));
        let far = flat_color(cell);
        return vec4(mix(far, near, smoothstep(4.0, 9.0, pixels)), 1.0);
    }
    // If a pixel covers several cells, it shows the mean of at most 16.
    let count = clamp(ceil(step), 1.0, 4.0);
    var sum = vec3(0.0);
    for (var y = 0.0; y < count; y += 1.0) {
        for (var x = 0.0; x < count; x += 1.0) {
            let offset = (vec2(x, y) + 0.5) / count - 0.5;
            let there = clamp(floor(at + offset * step), vec2(0.0), size() - 1.0);
            sum += flat_color(there);
        }
    }
    return vec4(sum / (count * count), 1.0);
}
