import type { FastifyReply, FastifyRequest } from 'fastify';
import { formType } from '../../http/body/body.js';
import { mediaTypes } from '../common/addresses.js';
import { otherMediaType } from '../common/problem.js';

/** Media types of the bodies of features. */
const featureTypes = [mediaTypes.geojson, mediaTypes.json];
const patchTypes = ['application/merge-patch+json', ...featureTypes];

/** Throws 415 for a body of another media type than GeoJSON, before it is read. One without a type is taken for JSON. */
export async function demandMediaType(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { headers, method } = request;
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  const isPatch = method === 'PATCH';
  const types = isPatch ? patchTypes : featureTypes;
  // `curl -d` says so of JSON.
  if (!type || type === formType || types.includes(type)) return;
  reply.header(isPatch ? 'accept-patch' : 'accept', types.join(', '));
  throw otherMediaType(types, type);
}
