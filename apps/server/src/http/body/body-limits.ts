import { ServiceError } from '@cartulary/errors';
import type { Config } from '../../config.js';

/** Largest body with styles, filters, trees and lists of ids, bytes. */
const mediumLimit = 2 * 1024 * 1024;

/** Values of `bodyLimit` for routes that need more than the default. */
export interface BodyLimits {
  /** Styles, filters, trees, lists of ids. */
  medium: number;
  /** Objects with their geometries. */
  large: number;
}

/** `CARTULARY_BODY_LIMIT` is the upper bound of all limits. */
export const bodyLimits = ({ bodyLimitBytes }: Pick<Config, 'bodyLimitBytes'>): BodyLimits => ({
  medium: Math.min(bodyLimitBytes, mediumLimit),
  large: bodyLimitBytes,
});

/** The default limit of a route, bytes. */
export const usualLimit = ({ bodyLimitBytes, smallBodyLimitBytes }: Config): number =>
  Math.min(bodyLimitBytes, smallBodyLimitBytes);

/** 413 for a body of more than `limit` bytes. */
export const bodyTooLarge = (limit: number): ServiceError =>
  new ServiceError('too_large', `The body has more than ${limit} bytes`, { limit, unit: 'bytes' });
