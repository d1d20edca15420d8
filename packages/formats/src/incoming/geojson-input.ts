import type { FileSource } from '../reading/reading.js';

/** An imported file and its readable parts. */
export interface Input {
  /** The code of its format, known once the parts are read. */
  readonly format: string;
  sources: AsyncIterable<FileSource>;
  /** Notes for the report, complete once the parts are read. */
  readonly notes: string[];
}

/** GeoJSON that is read as a stream. */
export const geojsonInput = (bytes: AsyncIterable<Buffer>): Input => ({
  format: 'geojson',
  sources: once({ part: { kind: 'geojson' }, bytes }),
  notes: [],
});

async function* once<T>(item: T): AsyncGenerator<T> {
  yield item;
}
