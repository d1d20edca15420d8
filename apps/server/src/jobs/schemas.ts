import { Type } from 'typebox';
import { phases, states } from './job.js';

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const time = Type.String({ format: 'date-time' });

/** A job as it is shown. */
export const JobAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: Type.Enum(['import', 'export']),
  map: Nullable(Type.String(), 'Code of the map; null when the layer may no longer be viewed'),
  layer: Nullable(Type.String(), 'Code of the layer; null when it may no longer be viewed'),
  state: Type.Enum([...states], { description: 'done, failed and cancelled are final' }),
  phase: Nullable(Type.Enum([...phases]), 'What it is doing, or did last'),
  done: Type.Integer({ description: 'Objects so far' }),
  total: Nullable(Type.Integer(), 'Objects in all; null when not known'),
  percent: Nullable(Type.Integer({ minimum: 0, maximum: 100 }), 'Of the phase; null when not known'),
  created: time,
  started: Nullable(time, 'When its turn had come'),
  finished: Nullable(time, 'When it ended'),
  result: Type.Unknown({
    description: 'Of an import that is done: the answer of the plain call. Of an export: its file',
  }),
  error: Type.Unknown({ description: 'Of one that failed: the error object of the plain call' }),
});

/** The result of an export. */
export const ExportResult = Type.Object({
  name: Type.String(),
  path: Type.String({ description: 'Where it can be requested' }),
  mime: Type.String(),
  size: Type.Integer({ description: 'Bytes' }),
  changed_texts: Type.Optional(
    Type.Integer({
      description: 'Values that the format or its encoding could not hold as they are, where it may be so',
    }),
  ),
  expires: time,
});
