/** Pixels of a legend: side of a picture, height of a row, room for texts. */
export const legendRow = { side: 20, height: 26, gap: 6, text: 220 };

/** The size of a legend with so many entries; a single one has no text. */
export const legendSize = (entries: number): { width: number; height: number } =>
  entries <= 1
    ? { width: legendRow.side, height: legendRow.side }
    : {
        width: legendRow.side + legendRow.gap + legendRow.text,
        height: entries * legendRow.height,
      };
