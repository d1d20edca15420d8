import type { Config } from '../config.js';
import { ServiceError } from '../errors.js';

/** Largest body of functions that take styles, filters, trees and lists of ids, bytes. */
const mediumLimit = 2 * 1024 * 1024;

/** The values of `bodyLimit` of the routes that need more than all others. */
export interface BodyLimits {
  /** Styles, filters, trees, lists of ids. */
  medium: number;
  /** Objects with their geometries. */
  large: number;
}

/** `CARTULARY_BODY_LIMIT` holds for all. */
export const bodyLimits = ({ bodyLimit }: Pick<Config, 'bodyLimit'>): BodyLimits => ({
  medium: Math.min(bodyLimit, mediumLimit),
  large: bodyLimit,
});

/** The limit of the routes that name none. */
export const usualLimit = ({ bodyLimit, smallBodyLimit }: Config): number =>
  Math.min(bodyLimit, smallBodyLimit);

/** 413 for a body of more than `limit` bytes. */
export const bodyTooLarge = (limit: number): ServiceError =>
  new ServiceError('too_large', `The body has more than ${limit} bytes`, { limit });
