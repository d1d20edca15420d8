import { badRequest, ServiceError } from '../errors.js';
import { type Column, isQuery, type Layer } from './layers.js';

/** The columns that every layer has; their code and type stay. */
export const isOwn = ({ code }: Pick<Column, 'code'>): boolean => code === 'svc_id' || code === 'geom';

/** Checks the code of a user column: Latin letters, digits and underscore, no digit first, at most 44. */
export function checkColumnCode(code: string): string {
  if (isOwn({ code }))
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

/** Columns of a query are those of its result: throws 400. */
export function refuseQuery(layer: Pick<Layer, 'type' | 'code'>, what: string): void {
  if (isQuery(layer))
    throw badRequest(
      `The columns of the layer '${layer.code}' are those of its query: they ${what} there (json.query)`,
      { type: layer.type },
    );
}
