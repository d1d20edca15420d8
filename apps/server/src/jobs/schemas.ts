import { Type } from 'typebox';
import { jobPhases, states } from './job.js';

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const time = Type.String({ format: 'date-time' });

/** A job in an answer. */
export const JobAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: Type.Enum(['import', 'export']),
  map: Nullable(Type.String(), 'Code of the map; null when the layer may no longer be viewed'),
  layer: Nullable(Type.String(), 'Code of the layer; null when it may no longer be viewed'),
  state: Type.Enum([...states], { description: 'done, failed and cancelled are final' }),
  phase: Nullable(Type.Enum([...jobPhases]), 'The current or last phase'),
  done: Type.Integer({ description: 'Objects processed so far' }),
  total: Nullable(Type.Integer(), 'Total number of objects; null if unknown'),
  percent: Nullable(Type.Integer({ minimum: 0, maximum: 100 }), 'Progress of the phase; null if unknown'),
  attempts: Type.Integer({
    description: 'Number of starts: more than one if the service stopped before the job ended',
  }),
  created: time,
  started: Nullable(time, 'Time of the last start; null while it waits'),
  finished: Nullable(time, 'Time of its end'),
  result: Type.Unknown({
    description: 'For a completed import the answer of the direct call, for an export its file',
  }),
  error: Type.Unknown({ description: 'For a failed job the error object of the direct call' }),
  login: Type.Optional(Nullable(Type.String(), 'With all=1: its owner; null without one')),
});

/** The result of an export. */
export const ExportResult = Type.Object({
  name: Type.String(),
  path: Type.String({ description: 'URL of its content' }),
  mime: Type.String(),
  size: Type.Integer({ description: 'Bytes' }),
  changed_texts: Type.Optional(
    Type.Integer({
      description: 'Values that the format or its encoding could not hold as they are, where it may be so',
    }),
  ),
  expires: time,
});
