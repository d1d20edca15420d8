import { quickPng, type RenderJob } from '@cartulary/renderer';
import { digestOf } from '@cartulary/runtime';
import type { Composition } from '../plan/composition.js';
import type { TilePlan } from '../plan/plan.js';
import type { DrawJob } from './draw-job.js';
import type { DrawnExternal } from './externals.js';

/** What a job takes from a composition or a plan. */
type Drawn = Pick<Composition, 'xml' | 'xmlKey' | 'above' | 'bufferSize' | 'externals'> &
  Partial<Pick<TilePlan, 'palette'>>;

/** The job for a composition at a zoom level: one picture, unless `own` says more. */
export const compositionJob = (
  { xml, xmlKey, above, bufferSize, externals, palette }: Drawn,
  z: number,
  own: Pick<DrawJob, 'extent' | 'size' | 'scale'> & Partial<DrawJob>,
): DrawJob => ({
  xml,
  xmlKey,
  above,
  columns: 1,
  rows: 1,
  bufferSize: bufferSize * own.scale,
  externals: externalsAt(externals, z),
  format: palette ? 'png8:m=h' : quickPng,
  ...own,
});

/** The external layers of a composition as a job lists them. */
export const externalsAt = (
  externals: readonly DrawnExternal[],
  z: number,
): NonNullable<DrawJob['externals']> => externals.map((one) => ({ ...one, z }));

/** The job for one picture of an XML that no composition has made. */
export const pictureJob = (
  xml: string,
  own: Pick<RenderJob, 'extent' | 'size'> & Partial<RenderJob>,
): RenderJob => ({
  xml,
  xmlKey: digestOf(xml),
  columns: 1,
  rows: 1,
  scale: 1,
  bufferSize: 0,
  format: 'png',
  ...own,
});
