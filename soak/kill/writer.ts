import type { Random } from '../random.js';
import type { Service } from '../service.js';

/** One kind of writes, to containers that no other writer touches. States are JSON and compared as such. */
export interface Writer {
  name: string;
  /** Makes what it writes to: the first state. */
  prepare(service: Service): Promise<unknown>;
  /** What the service has. */
  read(service: Service): Promise<unknown>;
  /** The next write, given the state before it. */
  plan(state: any, random: Random): Write;
}

export interface Write {
  /** The state when it has succeeded, and when it was cut off after it was stored. */
  after: unknown;
  /** Resolves when the service has acknowledged it. Throws what it answers otherwise. */
  send(service: Service): Promise<unknown>;
}

/** What became of one writer's writes. */
export interface Journal {
  writer: Writer;
  /** As the service has acknowledged it. */
  state: unknown;
  /** A write that was sent and not acknowledged. */
  pending: { after: unknown } | undefined;
  acknowledged: number;
  /** Answers that refuse a write, with how often: none is expected. */
  refused: Map<string, number>;
}

/** Two states are equal when their texts are: keys in order. */
export const textOf = (state: unknown): string =>
  JSON.stringify(state, (_, value) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** Writes until it is told to end, or a write was not acknowledged. */
export async function write(
  journal: Journal,
  service: Service,
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const { after, send } = journal.writer.plan(journal.state, random);
    journal.pending = { after };
    try {
      await send(service);
      journal.state = after;
      journal.pending = undefined;
      journal.acknowledged += 1;
    } catch (error) {
      if (isOver() || service.hasEnded()) return;
      // It may be stored all the same: what is there tells.
      const { message } = error as Error;
      const known = message.replace(/\d+/g, 'N').slice(0, 200);
      journal.refused.set(known, (journal.refused.get(known) ?? 0) + 1);
      journal.state = await journal.writer.read(service).catch(() => journal.state);
      return;
    }
  }
}

/** Compares what the service has with the journal, which goes on from there. Gives what is wrong. */
export async function verify(
  journal: Journal,
  service: Service,
): Promise<{ kind: 'lost' | 'half'; text: string } | undefined> {
  const { writer, state, pending } = journal;
  const found = await writer.read(service);
  journal.state = found;
  journal.pending = undefined;
  const has = textOf(found);
  if (has === textOf(state) || (pending && has === textOf(pending.after))) return undefined;
  const short = (text: string): string => (text.length > 400 ? `${text.slice(0, 400)}…` : text);
  const text = `${writer.name}: acknowledged ${short(textOf(state))}, ${pending ? `sent ${short(textOf(pending.after))}, ` : ''}found ${short(has)}`;
  return { kind: pending ? 'half' : 'lost', text };
}
