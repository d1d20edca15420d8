import sharp from 'sharp';
import type { PictureOf, PlannedPicture, PlanPicture } from './draw.js';
import { type PictureFrame, worldWidth } from './frame.js';

/** How far, in widths of the world, a box moves for each side of the world that it shows. */
function turnsOf({ crs, box, isAround }: PictureFrame): readonly number[] {
  const width = worldWidth(crs);
  if (!isAround || width === undefined) return [0];
  const found = [0, 1, -1].filter(
    (turn) => box[0] - turn * width < width / 2 && box[2] - turn * width > -width / 2,
  );
  return found.length ? found : [0];
}

const turned = (frame: PictureFrame, turn: number): PictureFrame => {
  const shift = turn * (worldWidth(frame.crs) ?? 0);
  const [west, south, east, north] = frame.box;
  return { ...frame, box: [west - shift, south, east - shift, north] };
};

/** A planner whose pictures of boxes across 180 degrees (`isAround`) show both sides: each is drawn for itself, one over the other. */
export const aroundWorld =
  (planPicture: PlanPicture): PlanPicture =>
  async (wanted, signal) => {
    const parts: PlannedPicture[] = [];
    for (const turn of turnsOf(wanted.frame)) {
      const part: PictureOf = { ...wanted, frame: turned(wanted.frame, turn) };
      // Only the lowest part has a colour behind it.
      if (parts.length) part.content = { ...wanted.content, paper: false };
      parts.push(await planPicture(part, signal));
    }
    const [lowest, ...others] = parts as [PlannedPicture, ...PlannedPicture[]];
    return others.length ? { plan: lowest.plan, draw: () => drawnOver(lowest, others) } : lowest;
  };

async function drawnOver(lowest: PlannedPicture, others: readonly PlannedPicture[]): Promise<Uint8Array> {
  const picture = await lowest.draw();
  const over: Uint8Array[] = [];
  for (const { draw } of others) over.push(await draw());
  return sharp(picture)
    .composite(over.map((input) => ({ input: Buffer.from(input) })))
    .png({ compressionLevel: 1 })
    .toBuffer();
}
