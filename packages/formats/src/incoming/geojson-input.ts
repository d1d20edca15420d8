import type { FileSource } from '../reading/reading.js';

/** An imported file and its readable parts. */
export interface Input {
  /** The code of its format, known once the parts are read. */
  readonly format: string;
  sources: AsyncIterable<FileSource>;
  /** Notes for the report, complete once the parts are read. */
  readonly notes: string[];
}

/** Whether a file may hold nothing, by its name: of a feature a line there is none where there are no features. */
export const mayBeEmpty = (name = ''): boolean => /\.(?:geojsonl|geojsons|ndjson)$/i.test(name);

/** GeoJSON that is read as a stream. */
export const geojsonInput = (bytes: AsyncIterable<Buffer>, name?: string): Input => ({
  format: 'geojson',
  sources: once({ part: { kind: 'geojson', mayBeEmpty: mayBeEmpty(name) }, bytes }),
  notes: [],
});

async function* once<T>(item: T): AsyncGenerator<T> {
  yield item;
}
