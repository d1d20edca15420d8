/* Larger places come earlier, as larger markers and larger labels; capitals are told by a ring. */
@dot: #6f655d;
@capital: #b1392c;
@ink: #3a3733;

#cities {
  [zoom = 3][population > 5000000],
  [zoom = 4][population > 1500000],
  [zoom = 5][population > 500000],
  [zoom = 6][population > 200000],
  [zoom = 7][population > 80000],
  [zoom = 8][population > 30000],
  [zoom = 9][population > 10000],
  [zoom = 10][population > 3000],
  [zoom >= 11] {
    ::dot {
      marker-fill: @dot;
      marker-line-color: #fff;
      marker-line-width: 0.8;
      marker-allow-overlap: true;
      marker-ignore-placement: true;
      marker-width: 4;
      [zoom >= 4][population > 1000000] { marker-width: 6; }
      [zoom >= 5][population > 3000000] { marker-width: 8; }
      [zoom >= 8][population > 300000] { marker-width: 9; }
      [capital = true] { marker-fill: @capital; }
    }

    ::label {
      text-name: [name];
      text-face-name: "DejaVu Sans Book";
      text-fill: @ink;
      text-halo-fill: rgba(255, 255, 255, 0.8);
      text-halo-radius: 1.3;
      text-placement-type: simple;
      text-placements: "E,W,N,S,NE,SE,NW,SW";
      text-dx: 6;
      text-dy: 6;
      text-margin: 2;
      text-size: 9;
      [zoom >= 4][population > 1000000] { text-size: 10; }
      [zoom >= 5][population > 3000000] { text-size: 11; }
      [zoom >= 7][population > 100000] { text-size: 11; }
      [zoom >= 8][population > 500000] { text-size: 13; }
      [capital = true] { text-face-name: "DejaVu Sans Bold"; }
    }
  }
}
