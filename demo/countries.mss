/* Neighbours never share a colour: `color` is 1 to 6, computed from the borders. */
@land: #f4efe3;
@border: #a39a90;
@ink: #54504a;
@regular: "DejaVu Sans Book";

#countries {
  polygon-fill: @land;
  polygon-gamma: 0.7;
  [color = 1] { polygon-fill: #f5e7c4; }
  [color = 2] { polygon-fill: #dfead0; }
  [color = 3] { polygon-fill: #f5d9c8; }
  [color = 4] { polygon-fill: #dcdfee; }
  [color = 5] { polygon-fill: #eedcea; }
  [color = 6] { polygon-fill: #d3e7e2; }

  ::border {
    line-color: @border;
    line-width: 0.3;
    line-join: round;
    [zoom >= 3] { line-width: 0.5; }
    [zoom >= 5] { line-width: 0.8; }
    [zoom >= 8] { line-width: 1.2; }
  }

  ::label {
    [zoom = 2][area_km2 > 2500000],
    [zoom = 3][area_km2 > 700000],
    [zoom = 4][area_km2 > 150000],
    [zoom = 5][area_km2 > 30000],
    [zoom = 6][area_km2 > 3000],
    [zoom >= 7] {
      text-name: [name];
      text-face-name: @regular;
      text-fill: @ink;
      text-halo-fill: rgba(255, 255, 255, 0.65);
      text-halo-radius: 1.2;
      text-placement: interior;
      text-wrap-width: 60;
      text-line-spacing: 1;
      text-size: 10;
      text-character-spacing: 0.5;
      [zoom >= 4][area_km2 > 700000] { text-size: 12; text-character-spacing: 1.5; }
      [zoom >= 5][area_km2 > 150000] { text-size: 13; text-character-spacing: 2; }
      [zoom >= 6][area_km2 > 150000] { text-size: 15; text-character-spacing: 3; }
      /* Off the cities in the middle of the country. */
      [iso_a2 = 'ES'], [iso_a2 = 'HR'][zoom >= 5] { text-dy: -14; }
    }
  }
}
