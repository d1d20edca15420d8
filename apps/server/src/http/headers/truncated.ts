import type { FastifyReply } from 'fastify';

/** Names the layers that a response contains only in part. */
export const truncatedHeader = 'Cartulary-Truncated';

/** Counts of objects of a layer: in the response, and in total. */
export interface Truncated {
  /** Code of the layer. */
  code: string;
  kept: number;
  of: number;
}

/** The header in the OpenAPI document. */
export const truncatedAnswer = {
  [truncatedHeader]: {
    description:
      'Where a part is left out: `<layer code>=<kept>/<of>` for each layer of which objects are missing, with commas',
    schema: { type: 'string', examples: ['roads=20000/135233'] },
  },
};

/** The value of the header: `roads=20000/135233, towns=500/700`. Codes need no escapes. */
export const truncatedText = (layers: readonly Truncated[]): string =>
  layers.map(({ code, kept, of }) => `${code}=${kept}/${of}`).join(', ');

/** Sets the header. Does nothing for a complete response. */
export function tellTruncated(reply: FastifyReply, layers: readonly Truncated[] | string): void {
  const text = typeof layers === 'string' ? layers : truncatedText(layers);
  if (text) reply.header(truncatedHeader, text);
}
