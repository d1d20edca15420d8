import type { FastifyRequest } from 'fastify';
import { originOf } from '../../http/origin.js';
import type { OgcServices } from '../services.js';

/** Where a service is. */
export interface ServiceAddress {
  /** Without a slash at the end. */
  address: string;
  /** The namespace of its types. */
  namespace: string;
  /** What addresses repeat of the request. */
  query: string;
}

/** The address of the WFS of the map of a request. */
export function serviceOf(request: FastifyRequest, config: OgcServices['config']): ServiceAddress {
  const { project, map } = request.params as { project: string; map: string };
  const address = `${originOf(request, config)}/wfs/${project}/${map}`;
  const { lng, token } = request.query as { lng?: string; token?: string };
  const query = new URLSearchParams({ ...(lng ? { lng } : {}), ...(token ? { token } : {}) }).toString();
  return { address, namespace: address, query };
}
