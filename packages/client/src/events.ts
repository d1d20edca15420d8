import { unreachableError } from './errors.js';

/** The data of server-sent events (HTML, section 9.2), parsed as JSON. Throws `unreachable` where the stream breaks. */
export async function* eventsIn<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => Promise.reject(unreachableError(error)));
      if (done) return;
      text += value;
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6)) as T;
    }
  } finally {
    // A caller that stops reading closes the connection.
    await reader.cancel().catch(() => {});
  }
}
