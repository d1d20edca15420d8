/** Valid styles of all kinds. carto compiles each of them, too, and both images must be equal. */
export interface Sample {
  readonly name: string;
  readonly style: string;
  /** The equivalent style for carto, where carto does not accept the original. */
  readonly carto?: string;
  /** A bug of carto that makes the images differ. The test requires a difference. */
  readonly cartoFault?: string;
  /** Largest difference in a channel: markers with an opacity are drawn in parts. Absent: none. */
  readonly tolerance?: number;
}

const sample = (name: string, style: string, more: Partial<Sample> = {}): Sample => ({
  name,
  style,
  ...more,
});

export const corpus: readonly Sample[] = [
  sample(
    'polygons',
    '#x { polygon-fill: #74c69d; polygon-opacity: .6; line-color: #2d6a4f; line-width: 1.5 }',
  ),
  sample(
    'polygon details',
    '#x { polygon-fill: steelblue; polygon-gamma: .5; polygon-smooth: .4; polygon-simplify: 2; polygon-clip: true; polygon-comp-op: multiply; }',
  ),
  sample(
    'lines',
    '#x { line-color: #c00; line-width: 4; line-cap: round; line-join: bevel; line-dasharray: 10, 4; line-opacity: 0.7; line-offset: 3; line-smooth: 0.5; line-miterlimit: 2; line-gamma: .7; }',
  ),
  sample(
    'road casing',
    `
    @casing: #555; @road: lighten(#e67700, 20%);
    #x::casing { line-color: @casing; line-width: 8; line-join: round; line-cap: round; }
    #x::fill { line-color: @road; line-width: 5; line-join: round; line-cap: round;
      [type='river'] { line-color: darken(@road, 30); }
      [zoom<10] { line-width: 3; } }`,
  ),
  sample(
    'attachments in a block',
    '#x { line-width: 1; ::halo { line-width: 9; line-color: yellow; line-opacity: .5; } ::top { marker-width: 4; marker-fill: red; } }',
  ),
  sample(
    'order of attachments',
    '#x::b { polygon-fill: red; } #x::a { polygon-fill: blue; polygon-opacity: .5; } #x { line-width: 3 }',
  ),
  sample('nested attachment names', '#x::a { line-width: 6; ::b { line-width: 2; line-color: red; } }'),
  sample(
    'instances',
    '#x { a/line-width: 9; a/line-color: #333; b/line-width: 5; b/line-color: gold; line-width: 1; line-color: #c00 }',
  ),
  sample(
    'markers',
    '#x { marker-width: 12; marker-height: 8; marker-fill: #1c7ed6; marker-line-color: white; marker-line-width: 2; marker-allow-overlap: true; marker-opacity: .8; marker-fill-opacity: .9; marker-line-opacity: .5 }',
    { tolerance: 6 },
  ),
  sample(
    'markers along lines',
    '#x { marker-placement: line; marker-type: arrow; marker-spacing: 20; marker-width: 10; marker-fill: black; marker-max-error: .5; marker-direction: left }',
  ),
  sample(
    'marker placements',
    '#x { marker-placement: interior; marker-multi-policy: largest; marker-ignore-placement: true; marker-allow-overlap: true; b/marker-placement: vertex-last; b/marker-fill: lime; b/marker-allow-overlap: true }',
  ),
  sample(
    'marker by columns',
    '#x { marker-width: [pop] / 4; marker-fill: [color]; marker-allow-overlap: true; marker-transform: rotate([angle]) }',
  ),
  sample(
    'marker by text expressions',
    '#x { marker-width: "[pop] / 100.0 * 36 + 4"; marker-height: "pow([pop], 0.5)"; marker-allow-overlap: true; marker-transform: "rotate([angle]), scale(1.5, 0.5)"; marker-opacity: "[flag]" }',
  ),
  sample(
    'icons',
    '#x { marker-file: url(star); marker-width: 24; marker-fill: [color]; marker-allow-overlap: true } #x["mapnik::geometry_type"=2] { marker-placement: line; marker-spacing: 30 }',
  ),
  sample(
    'points',
    '#x { point-file: url(star); point-allow-overlap: true; point-opacity: .8; point-placement: interior; point-transform: rotate(20) }',
  ),
  sample(
    'patterns',
    '#x { polygon-pattern-file: url(stripe); polygon-pattern-opacity: .7; polygon-pattern-alignment: local; polygon-pattern-transform: rotate(30); line-pattern-file: url(star); line-pattern-type: repeat; line-pattern-offset: 4; line-pattern-width: 8 }',
  ),
  sample(
    'shields',
    `#x { shield-name: [id]; shield-file: url(star); shield-face-name: 'DejaVu Sans Bold'; shield-size: 8; shield-fill: navy; shield-halo-fill: white; shield-halo-radius: 1; shield-dy: 3; shield-text-dy: -4; shield-placement: point; shield-unlock-image: true; }`,
  ),
  sample(
    'labels',
    `#x { text-name: [name]; text-face-name: 'DejaVu Sans Book'; text-size: 11; text-fill: #333; text-halo-fill: rgba(255,255,255,.8); text-halo-radius: 1.5; text-dy: 6; text-wrap-width: 30; text-allow-overlap: true; }`,
  ),
  sample(
    'labels along lines',
    `#x { line-width: 1; text-name: [name] + ' ' + [type]; text-face-name: "DejaVu Sans Bold", "DejaVu Sans Book"; text-placement: line; text-spacing: 60; text-max-char-angle-delta: 40; text-min-path-length: 10; text-character-spacing: 1; text-transform: uppercase; text-upright: left; text-offset: 5 }`,
  ),
  sample(
    'label alternatives',
    `#x { text-name: "[name].replace('е','ё') + ' (' + [pop] + ')'"; text-face-name: 'DejaVu Serif Italic'; text-placement-type: simple; text-placements: "E,NE,SE,W,10,8"; text-dx: 8; text-dy: 8; marker-width: 6; marker-fill: red; }`,
  ),
  sample(
    'label details',
    `#x { text-name: "'№' + [id]"; text-face-name: 'DejaVu Sans Mono Book'; text-orientation: [angle]; text-opacity: .8; text-horizontal-alignment: right; text-vertical-alignment: top; text-align: left; text-line-spacing: 2; text-wrap-width: 10; text-wrap-character: "_"; text-margin: 2; text-repeat-distance: 20; text-halo-radius: 1; text-halo-opacity: .5; text-ratio: 1; text-min-padding: 3; text-largest-bbox-only: false; text-avoid-edges: true; text-halo-transform: translate(2, 2); text-comp-op: multiply; text-halo-comp-op: screen }`,
  ),
  sample(
    'grids of labels',
    `#x[a=0] { text-name: 'x'; text-face-name: 'DejaVu Sans Book'; text-placement: grid; text-grid-cell-width: 20; text-grid-cell-height: 15; }`,
    {
      carto: `#x[a=0] { text-name: "'x'"; text-face-name: 'DejaVu Sans Book'; text-placement: grid; text-grid-cell-width: 20; text-grid-cell-height: 15; }`,
    },
  ),
  sample('buildings', '#x { building-fill: #ccc; building-height: [pop] / 5; building-fill-opacity: .9 }'),
  sample(
    'dots',
    '#x { dot-fill: crimson; dot-width: 3; dot-height: 5; dot-opacity: .7; dot-comp-op: src-over }',
  ),
  sample('debugging', `#x { text-name: [id]; text-face-name: 'DejaVu Sans Book'; debug-mode: collision }`),
  sample(
    'categories',
    `
    #x { polygon-fill: #ddd; line-color: #fff; line-width: 2; marker-fill: #ddd; marker-width: 12; marker-allow-overlap: true;
      [type='road'] { polygon-fill: #e03131; marker-fill: #e03131; }
      [type='river'] { polygon-fill: #1971c2; marker-fill: #1971c2; }
      [type='town'] { polygon-fill: #2f9e44; marker-fill: #2f9e44; }
      [type='village'] { polygon-fill: #f08c00; marker-fill: #f08c00; } }`,
  ),
  sample(
    'classes by rising order',
    `
    #x { polygon-fill: #ffffcc; polygon-opacity: 1; }
    #x[pop >= 20] { polygon-fill: #a1dab4; }
    #x[pop >= 40] { polygon-fill: #41b6c4; }
    #x[pop >= 60] { polygon-fill: #2c7fb8; }
    #x[pop >= 80] { polygon-fill: #253494; }`,
  ),
  sample(
    'classes by falling order',
    '#x { [pop < 80] { polygon-fill: #aaa } [pop < 40] { polygon-fill: #555; line-width: 2; } [pop < 20] { polygon-fill: #000; } line-width: 1; }',
  ),
  sample(
    'between',
    '#x[pop > 20][pop <= 60] { polygon-fill: red } #x[pop > 50] { polygon-fill: blue; polygon-opacity: .5 } #x[pop != 37] { line-width: 3 }',
  ),
  sample(
    'independent filters of one symbolizer',
    '#x { [a=1] { line-color: red } [b=1] { line-width: 5 } [c=1] { line-cap: round } [d=1] { line-opacity: .4 } }',
  ),
  sample(
    'independent filters of several symbolizers',
    `#x { [a=1] { line-width: 3 } [b=1] { polygon-fill: red } [c=1] { marker-width: 9 } [d=1] { dot-width: 4; } [flag=true] { b/line-width: 1; b/line-color: lime; } [pop>50] { c/line-width: 7; c/line-opacity: .3 } [val<8] { d/polygon-fill: blue; d/polygon-opacity: .3; } [id>15] { e/marker-width: 4; e/marker-fill: black; } }`,
  ),
  sample(
    'switches of many symbolizers',
    `#x { ${['a=1', 'b=1', 'c=1', 'd=1', 'flag=true', 'pop>50', "type='road'"]
      .map(
        (filter, i) =>
          `i${i}/line-width: ${9 - i}; [${filter}] { i${i}/line-color: hsl(${i * 50}, 80%, 50%); i${i}/line-width: ${8 - i} }`,
      )
      .join('\n')} }`,
  ),
  sample(
    'order of symbolizers changes with the feature',
    '#x { polygon-fill: silver; line-width: 6; [a=1] { polygon-fill: salmon; polygon-opacity: .6; } [b=2] { line-color: blue } }',
  ),
  sample(
    'zoom',
    `
    #x[zoom >= 3] { line-width: 1; }
    #x[zoom >= 8] { line-width: 3; polygon-fill: #eee; }
    #x[zoom >= 8][zoom <= 10] { line-color: red }
    #x[zoom = 13] { marker-width: 8; }
    #x[zoom < 8] { polygon-fill: pink }
    #x[zoom > 12] { polygon-opacity: .3 }`,
  ),
  sample(
    'zoom and filters',
    `
    #x { line-width: 1; [zoom > 5] { line-width: 2; [a=1] { line-color: red; } [type='river'] { line-width: 5; [zoom > 10] { line-color: blue; } } } [a=0][zoom < 10] { polygon-fill: khaki; } }`,
  ),
  sample(
    'zoom by variables',
    '@near: 10; #x[zoom < @near] { polygon-fill: teal } #x[zoom >= @near] { polygon-fill: tomato }',
  ),
  sample(
    'specificity',
    `
    .polygon { polygon-fill: red; line-width: 4; }
    #x { polygon-fill: green; }
    #x.polygon { line-color: blue; }
    .polygon[a=1] { line-color: yellow; }
    #x[a=1] { polygon-fill: orange }
    [b=1] { marker-width: 10 }`,
  ),
  sample(
    'lists of selectors',
    '#x[a=1], #x[b=1], .polygon[c=1] { polygon-fill: purple; [d=1], [d=2] { line-width: 4; line-color: cyan; } }',
  ),
  sample('a comma behind the last selector', '#x[a=1], #x[b=1], { line-width: 3; a/opacity: .5 }'),
  sample(
    'alternatives that cannot be met',
    '#x[a=1] { [a=0], [b=1] { polygon-fill: red } [zoom>5], [a=0] { line-width: 3; [zoom<3], [b=2] { line-color: blue } } }',
  ),
  sample(
    'comments',
    '/* first */ #x { // the rest of the line\n line-width: 2; /* a * b ** */ line-color: red; // ; }\n }',
  ),
  sample(
    'filters with texts',
    `#x[name='a & b'] { polygon-fill: red } #x[name="Москва"] { polygon-fill: blue } #x[name=''] { marker-width: 20 } #x["имя"='да'] { line-width: 2 }`,
    {
      carto: `#x[name='a & b'] { polygon-fill: red } #x[name="Москва"] { polygon-fill: blue } #x[name=''] { marker-width: 20 } #x["имя"='да'] { line-width: 2 }`,
      cartoFault: 'escapes & < > " twice in filters, so that they never match',
    },
  ),
  sample(
    'filters with patterns',
    `#x[name=~'.*о.*'] { polygon-fill: red; marker-width: 20 } #x[type=~"r(oad|iver)"] { line-width: 4 } #x[digits =~ '\\d'] { marker-fill: lime; marker-width: 15; }`,
  ),
  sample(
    'filters with null',
    '#x[val=null] { polygon-fill: red; marker-fill: red; marker-width: 20 } #x[val!=null] { line-width: 2 } #x[none=null] { marker-line-width: 3 }',
  ),
  sample(
    'filters with true',
    '#x[flag=true] { polygon-fill: gold } #x[flag=false] { line-width: 3; line-color: maroon } #x[flag!=true][pop>50] { marker-width: 15 }',
  ),
  sample(
    'filters on the kind of geometry',
    `#x["mapnik::geometry_type"=polygon] { polygon-fill: #ccc } #x["mapnik::geometry_type"=linestring] { line-width: 3 } #x["mapnik::geometry_type"=point] { marker-width: 9 } #x['mapnik::geometry_type'!=polygon] { marker-fill: red; marker-allow-overlap: true }`,
  ),
  sample(
    'arithmetic in filters',
    '#x[[pop]*2 > 90] { polygon-fill: red } #x[[pop] > [id]] { line-width: 3 } #x[[pop] + [id] <= 60] { marker-width: 16 }',
  ),
  sample(
    'numbers in filters',
    '#x[val >= 2.5] { polygon-fill: red } #x[val = 6.5] { line-width: 5 } #x[val > -1] { marker-width: 5 } #x[pop <= 1e1] { marker-fill: lime; marker-width: 20 }',
  ),
  sample(
    'contradictions',
    '#x[a=1] { polygon-fill: red; line-width: 2 } #x[a=2] { polygon-fill: blue } #x[a!=1] { line-width: 5 } #x[a>=1] { line-color: red } #x[a<1] { line-color: green; }',
  ),
  sample(
    'equal filters apart',
    '#x[a=1] { polygon-fill: red } #x[b=1] { polygon-fill: blue; line-width: 1; } #x[a=1] { line-width: 4 } #x[a=1][b=1] { line-color: yellow } #x { line-opacity: .5 }',
  ),
  sample(
    'variables',
    `
    @w: 2; @double: @w * 2; @color: #369; @list: 6, @w; @font: "DejaVu Sans Book"; @name: "[name]";
    #x { line-width: @double + 1px; line-color: @color; line-dasharray: @list; text-name: @name; text-face-name: @font; text-size: @w + 8; text-fill: darken(@color, 20%); }
    @w: 3;`,
  ),
  sample(
    'colours',
    `
    #x { polygon-fill: hsl(120, 50%, 60%); line-color: rgba(20, 40, 60, .5); line-width: 3; marker-width: 14; marker-fill: hsla(280, 60%, 50%, 0.7); marker-line-color: #abc; }
    #x[a=1] { polygon-fill: rgb(200, 100, 50); marker-fill: hsluv(200, 80%, 50%); line-color: Transparent }
    #x[b=2] { polygon-fill: hsluva(30, 90%, 60%, .5) }`,
    {
      carto: `
    #x { polygon-fill: hsl(120, 50%, 60%); line-color: rgba(20, 40, 60, .5); line-width: 3; marker-width: 14; marker-fill: hsla(280, 60%, 50%, 0.7); marker-line-color: #abc; }
    #x[a=1] { polygon-fill: rgb(200, 100, 50); marker-fill: hsluv(200, 80%, 50%); line-color: transparent }
    #x[b=2] { polygon-fill: hsluva(30, 90%, 60%, .5) }`,
    },
  ),
  sample(
    'colour functions',
    `@c: #3b7dd8;
    #x[c=0] { polygon-fill: lighten(@c, 20%); marker-fill: darken(@c, 20%); marker-width: 15 }
    #x[c=1] { polygon-fill: saturate(@c, 30%); marker-fill: desaturate(@c, 40%); marker-width: 15 }
    #x[c=2] { polygon-fill: fadeout(@c, 50%); marker-fill: fadein(rgba(1,2,3,.2), 50%); marker-width: 15 }
    #x[c=3] { polygon-fill: spin(@c, 90); marker-fill: spin(@c, -30); marker-width: 15 }
    #x[c=4] { polygon-fill: mix(@c, red, 30%); marker-fill: greyscale(@c); marker-width: 15 }
    #x[a=1] { line-width: 4; line-color: mix(rgba(10,20,30,.5), lime, 70%) }
    #x[b=1] { line-color: lightenp(@c, 10%); }`,
  ),
  sample(
    'colour arithmetic',
    '#x[a=1] { polygon-fill: #123 + #111; marker-fill: #222 * 2; marker-width: 15 } #x[a=0] { polygon-fill: #fff - #333; marker-fill: 20 + #444; marker-width: 15 } #x[b=1] { polygon-fill: #888 / 2 }',
  ),
  sample(
    'numbers',
    '@a: 10; #x { line-width: (@a + 2) / 4; line-offset: @a - 4*2; marker-width: @a % 3 + 8; marker-height: @a + 50%; polygon-fill: blue; polygon-opacity: 1 - .25; }',
  ),
  sample(
    'style opacity',
    '#x { polygon-fill: red; line-width: 8; opacity: .5; } #x::b { marker-width: 10; opacity: .3; comp-op: multiply; }',
  ),
  sample(
    'style comp-op',
    '#x::under { polygon-fill: #f80; } #x::over { polygon-fill: #08f; comp-op: difference; line-width: 5; line-comp-op: screen; } ',
  ),
  sample(
    'image filters',
    '#x { polygon-fill: red; line-width: 6; marker-width: 20; image-filters: agg-stack-blur(3, 3), gray(); image-filters-inflate: true; }',
  ),
  sample(
    'more image filters',
    '#x { marker-width: 30; marker-allow-overlap: true; image-filters: colorize-alpha(blue, cyan, lime, yellow, red); direct-image-filters: sharpen(); } #x::b { polygon-fill: red; image-filters: scale-hsla(0, 1, 0, 1, 0, .5, 0, 1) }',
  ),
  sample(
    'switched off',
    '#x { polygon-fill: red; line-width: 3; marker-width: 8; } #x[a=1] { line: none; polygon-opacity: .5 } #x[b=1] { polygon: none; line-color: blue }',
  ),
  sample('with defaults', '#x { line: auto; polygon: auto; } #x[a=1] { marker: auto; }'),
  sample(
    'transforms',
    '#x { polygon-fill: olive; polygon-geometry-transform: translate(10, 5); line-width: 2; line-geometry-transform: rotate(5); marker-width: 20; marker-height: 6; marker-transform: matrix(1, .2, 0, 1, 3, 4) ; marker-allow-overlap: true }',
  ),
  sample(
    'simplified',
    '#x { line-width: 2; line-simplify: 8; line-simplify-algorithm: visvalingam-whyatt; line-clip: true; line-rasterizer: fast; polygon-fill: #ddd; polygon-simplify: 5; polygon-simplify-algorithm: douglas-peucker; }',
  ),
  sample(
    'words and quotes',
    `#x { line-width: 3; line-cap: "round"; line-join: 'bevel'; line-color: "#c00"; polygon-fill: "[color]"; marker-allow-overlap: "true"; marker-width: "5" }`,
  ),
  sample(
    'null and words as numbers',
    '#x { marker-width: [val]; marker-height: [digits]; marker-allow-overlap: true; polygon-fill: red; polygon-opacity: "[val] * 0.07" }',
  ),
  sample(
    'two declarations of one property',
    '#x { line-width: 2; line-width: 6; polygon-fill: red } #x { polygon-fill: blue; }',
  ),
  sample('empty blocks', '#x { } #x[a=1] { } #x { line-width: 2; [b=1] { } }'),
  sample(
    'deep nesting',
    '#x { polygon-fill: #eee; [pop>10] { polygon-fill: #ccc; [pop>20] { polygon-fill: #aaa; [pop>40] { polygon-fill: #888; [zoom>5] { [pop>60] { polygon-fill: #444; line-width: 3; } } } } } }',
  ),
  sample(
    'the block around',
    '#x { & { polygon-fill: #ddd; } &[pop>40] { polygon-fill: #888; &::over[a=1], &.polygon { line-width: 4; } } }',
    {
      carto:
        '#x { polygon-fill: #ddd; } #x[pop>40] { polygon-fill: #888; } #x[pop>40]::over[a=1], #x.polygon[pop>40] { line-width: 4; }',
    },
  ),
  sample(
    'lengths of paper',
    '#x { line-width: 1mm; marker-width: 12pt; marker-height: 1pc + 2; line-offset: -.1cm }',
  ),
  sample(
    'blocks outside of the zoom levels around',
    '#x[zoom>=4] { line-width: 2; [zoom=3], [zoom<2] { line-width: 9; [a=1] { line-color: red; } } }',
  ),
  sample(
    'escaped spaces in patterns',
    `#x { polygon-fill: red; line-width: 1; text-name: "[name].replace('([\\S\\ ]+)o','$1\\.')"; text-face-name: 'DejaVu Sans Book'; text-allow-overlap: true }`,
  ),
  sample(
    'wide gaps of zoom',
    '#x[zoom=3], #x[zoom=13] { line-width: 7 } #x { line-width: 2; polygon-fill: tan } #x[zoom>=4][zoom<=12][a=1] { polygon-fill: orchid }',
  ),
  sample(
    'real: places',
    `
    @halo: fadeout(#fff, 20%);
    .point { marker-width: 5; marker-fill: #333; marker-line-width: 0; marker-allow-overlap: true; }
    #x["mapnik::geometry_type"=point] {
      text-name: [name]; text-face-name: 'DejaVu Sans Book'; text-size: 10; text-halo-fill: @halo; text-halo-radius: 1; text-dy: -7;
      [pop > 50] { text-size: 13; text-face-name: 'DejaVu Sans Bold'; [zoom >= 8] { text-size: 15; } }
      [zoom < 5][pop < 30] { text-name: "''"; } }`,
  ),
  sample(
    'real: land use',
    `
    @water: #aad3df; @wood: #add19e; @town: #e0dfdf;
    #x["mapnik::geometry_type"=polygon] {
      polygon-gamma: .8;
      [type='river'] { polygon-fill: @water; line-color: darken(@water, 15%); line-width: .6; }
      [type='forest'] { polygon-fill: @wood; [zoom>=8] { b/polygon-fill: rgba(0,60,0,.15); b/polygon-comp-op: darken; } }
      [type='town'], [type='village'] { polygon-fill: @town; [pop>=50] { line-width: 1.5; line-dasharray: 4,2; } }
    }`,
  ),
];
