import type { Column } from '@cartulary/columns';
import { badRequest, ServiceError } from '@cartulary/errors';
import { isQuery, type Layer } from '../layers.js';

/** The columns that every layer has. Their code and type cannot be changed. */
export const isSystemColumn = ({ code }: Pick<Column, 'code'>): boolean =>
  code === 'svc_id' || code === 'geom';

/** Checks the code of a user column: at most 44 Latin letters, digits and underscores, the first no digit. */
export function checkColumnCode(code: string): string {
  if (isSystemColumn({ code }))
    throw new ServiceError('code_reserved', `Every layer has the column '${code}'`, { code });
  if (code === '__proto__')
    throw new ServiceError('code_reserved', `The code '${code}' is reserved by the service`, { code });
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,43}$/.test(code)) {
    throw new ServiceError(
      'code_invalid',
      'A column code has 1 to 44 Latin letters, digits and underscores, and does not start with a digit',
      { parameters: ['code'] },
    );
  }
  return code;
}

/** Throws 400 for a layer whose columns come from its query. */
export function refuseQuery(layer: Pick<Layer, 'type' | 'code'>, what: string): void {
  if (isQuery(layer))
    throw badRequest(
      `The columns of the layer '${layer.code}' are those of its query: they ${what} there (json.query)`,
      { type: layer.type },
    );
}
