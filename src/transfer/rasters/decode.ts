import { ServiceError } from '../../errors.js';

export interface Decoding {
  decoder: 'sharp' | 'geotiff';
  /** ms. */
  time: number;
  signal: AbortSignal;
}

/** Unpacks pixels of a TIFF that GDAL cannot unpack: the name of the new file in the folder. */
export async function decoded(_folder: string, _file: string, _order: Decoding): Promise<string> {
  throw new ServiceError('import_failed', 'TODO');
}
