import type { StyleSubject } from '../editor/subject.js';
import type { LookSettings } from '../look.js';
import type { FormTexts } from './texts.en.js';

/** A field of a form: where its value lies in the settings, and what it may be. */
export type Field = {
  /** Keys to the value, with dots. */
  path: string;
  label: keyof FormTexts['labels'];
  /** The field is shown only with these settings. */
  when?: (settings: LookSettings) => boolean;
} & (
  | { type: 'color'; initial: string }
  /** A colour, or nothing (null). `suggested`: the colour of what is switched on. */
  | { type: 'maybeColor'; initial: string | null; suggested: string }
  | { type: 'number'; initial: number; min: number; max: number; step?: number }
  | { type: 'share'; initial: number }
  | { type: 'flag'; initial: boolean }
  | { type: 'choice'; initial: string | number; values: readonly (string | number)[] }
  | { type: 'column'; of: 'number' | 'any'; isOptional?: boolean }
  | { type: 'icon' }
  /** Three colours by their keys, or a list of colours. */
  | { type: 'ramp'; keys?: readonly [string, string, string]; initial: readonly string[] }
  /** Columns of numbers, each with a colour. */
  | { type: 'series' }
);

/** Fields under a heading; `isClosed`: folded at first. */
export interface FieldGroup {
  title?: keyof FormTexts['groups'];
  isClosed?: boolean;
  fields: readonly Field[];
}

/** What the fields of a form show and change. */
export interface FormProps {
  settings: LookSettings;
  subject: StyleSubject;
  canEdit: boolean;
  onChange: (settings: LookSettings) => void;
}

export type OneFieldProps<F extends Field = Field> = FormProps & { field: F };

const own = (name: string): string => `classesSettings.${name}`;
const isOn = (path: string) => (settings: LookSettings) => Boolean(valueAt(settings, path));

/** The value at a path; undefined where there is none. */
export function valueAt(settings: LookSettings, path: string): unknown {
  let value: unknown = settings;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value;
}

/** The settings with another value at a path. */
export function withValue(settings: LookSettings, path: string, value: unknown): LookSettings {
  const [key, ...rest] = path.split('.') as [string, ...string[]];
  const inner = rest.length ? withValue((settings[key] ?? {}) as LookSettings, rest.join('.'), value) : value;
  return { ...settings, [key]: inner };
}

const algorithm = (initial: number, path = 'algorithm'): Field => ({
  type: 'choice',
  path,
  label: 'algorithm',
  values: [1, 2, 3],
  initial,
});
const classesCount = (initial: number, max: number, path = 'classesCount'): Field => ({
  type: 'number',
  path,
  label: 'classesCount',
  min: 1,
  max,
  initial,
});
/** The field makes no difference where limits are typed by hand. */
const withoutLimits = (field: Field, path: string): Field => ({ ...field, when: (s) => !valueAt(s, path) });
const numberColumn: Field = { type: 'column', path: 'columnCode', label: 'column', of: 'number' };
const opacity = (path: string, initial: number): Field => ({
  type: 'share',
  path,
  label: 'opacity',
  initial,
});
const noData: Field = { type: 'color', path: own('noDataColor'), label: 'noDataColor', initial: '#d9d9d9' };
const size = (path: string, label: Field['label'], initial: number, range: [number, number]): Field => ({
  type: 'number',
  path,
  label,
  initial,
  min: range[0],
  max: range[1],
});

/** What lines and points of classes look like, with their edges. */
const shapes: FieldGroup = {
  title: 'shapes',
  isClosed: true,
  fields: [
    opacity(own('opacity'), 0.9),
    { type: 'number', path: own('lineWidth'), label: 'lineWidth', initial: 2, min: 0.1, max: 50, step: 0.1 },
    {
      type: 'choice',
      path: own('linePattern'),
      label: 'linePattern',
      initial: 'solid',
      values: ['solid', 'dash', 'dot', 'dashdot'],
    },
    { type: 'flag', path: 'pointSettings.sizeEnabled', label: 'ownPointSize', initial: false },
    { ...size('pointSettings.size', 'pointSize', 10, [1, 200]), when: isOn('pointSettings.sizeEnabled') },
    noData,
  ],
};

const border: FieldGroup = {
  title: 'border',
  isClosed: true,
  fields: [
    { type: 'flag', path: 'showBorder', label: 'showBorder', initial: true },
    { type: 'color', path: 'borderSettings.color', label: 'color', initial: '#ffffff' },
    {
      type: 'number',
      path: 'borderSettings.width',
      label: 'width',
      initial: 0.5,
      min: 0,
      max: 20,
      step: 0.5,
    },
  ],
};

const labels: FieldGroup = {
  title: 'labels',
  isClosed: true,
  fields: [
    { type: 'column', path: 'textSettings.column', label: 'labelColumn', of: 'any', isOptional: true },
    ...(
      [
        size('textSettings.fontSize', 'fontSize', 11, [4, 72]),
        { type: 'color', path: 'textSettings.fontColor', label: 'color', initial: '#333333' },
        { type: 'flag', path: 'textSettings.halo', label: 'halo', initial: true },
        { type: 'flag', path: 'textSettings.allowOverlap', label: 'allowOverlap', initial: false },
      ] as const
    ).map((field): Field => ({ ...field, when: isOn('textSettings.column') })),
  ],
};

const thematicRamp: Field = {
  type: 'ramp',
  path: 'classesSettings',
  label: 'ramp',
  keys: ['minColor', 'midColor', 'maxColor'],
  initial: ['#ffffcc', '#41b6c4', '#253494'],
};

const charts = (withScale: boolean): FieldGroup[] => [
  { fields: [{ type: 'series', path: own('columns'), label: 'columns' }] },
  {
    title: 'size',
    fields: [
      { type: 'choice', path: own('sizeType'), label: 'sizeType', initial: 1, values: [1, 2] },
      {
        ...size(own('sizeValue'), 'width', 40, [4, 200]),
        when: (s) => (valueAt(s, own('sizeType')) ?? 1) === 1,
      },
      { ...size(own('sizeFrom'), 'sizeFrom', 20, [4, 200]), when: (s) => valueAt(s, own('sizeType')) === 2 },
      { ...size(own('sizeTo'), 'sizeTo', 60, [4, 200]), when: (s) => valueAt(s, own('sizeType')) === 2 },
      ...(withScale
        ? [{ type: 'flag', path: own('showScale'), label: 'showScale', initial: false } as const]
        : []),
      { type: 'flag', path: own('allowOverlap'), label: 'allowOverlap', initial: true },
    ],
  },
  border,
  labels,
];

/** The fields of each form. */
export const forms = {
  simple: [
    {
      title: 'areas',
      fields: [
        { type: 'maybeColor', path: 'fill', label: 'fill', initial: null, suggested: '#74c69d' },
        { ...opacity('fillOpacity', 1), when: isOn('fill') },
      ],
    },
    {
      title: 'lines',
      fields: [
        { type: 'maybeColor', path: 'stroke', label: 'stroke', initial: null, suggested: '#2d6a4f' },
        {
          type: 'number',
          path: 'strokeWidth',
          label: 'width',
          initial: 1,
          min: 0,
          max: 100,
          step: 0.5,
          when: isOn('stroke'),
        },
        { ...opacity('strokeOpacity', 1), when: isOn('stroke') },
      ],
    },
    {
      title: 'points',
      fields: [
        {
          type: 'choice',
          path: 'marker.shape',
          label: 'shape',
          initial: 'circle',
          values: ['circle', 'square', 'triangle', 'diamond', 'star', 'cross', 'pin', 'arrow'],
        },
        { type: 'icon', path: 'marker.icon', label: 'icon' },
        size('marker.size', 'width', 10, [1, 500]),
        { type: 'color', path: 'marker.color', label: 'color', initial: '#d9480f' },
        { type: 'maybeColor', path: 'marker.stroke', label: 'edge', initial: null, suggested: '#ffffff' },
      ],
    },
    {
      title: 'labels',
      fields: [
        { type: 'column', path: 'label.column', label: 'labelColumn', of: 'any', isOptional: true },
        ...(
          [
            size('label.size', 'fontSize', 12, [4, 200]),
            { type: 'color', path: 'label.color', label: 'color', initial: '#333333' },
            {
              type: 'maybeColor',
              path: 'label.halo',
              label: 'haloColor',
              initial: null,
              suggested: '#ffffff',
            },
            size('label.minZoom', 'minZoom', 0, [0, 24]),
          ] as const
        ).map((field): Field => ({ ...field, when: isOn('label.column') })),
      ],
    },
  ],
  thematic: [
    {
      fields: [
        numberColumn,
        withoutLimits(classesCount(5, 20), own('limits')),
        withoutLimits(algorithm(1), own('limits')),
        thematicRamp,
      ],
    },
    shapes,
    border,
    labels,
  ],
  categories: [
    {
      fields: [{ type: 'column', path: 'columnCode', label: 'column', of: 'any' }, classesCount(10, 100)],
    },
    { ...shapes, fields: shapes.fields.filter((field) => field !== noData) },
    border,
    labels,
  ],
  bubbles: [
    {
      fields: [
        numberColumn,
        size(own('pointSizeMin'), 'sizeFrom', 4, [1, 200]),
        size(own('pointSizeMax'), 'sizeTo', 40, [1, 200]),
        { type: 'color', path: own('color'), label: 'color', initial: '#e6550d' },
        opacity(own('opacity'), 0.75),
      ],
    },
    border,
    labels,
  ],
  pies: charts(false),
  bars: charts(true),
  lines: charts(true),
  heat: [
    {
      fields: [
        size(own('markerSize'), 'reach', 20, [2, 100]),
        { type: 'flag', path: own('useWeight'), label: 'useWeight', initial: false },
        {
          type: 'column',
          path: own('useWeightField'),
          label: 'weight',
          of: 'number',
          when: isOn(own('useWeight')),
        },
        {
          type: 'ramp',
          path: own('colors'),
          label: 'ramp',
          initial: ['#4575b4', '#ffffbf', '#d73027'],
        },
        opacity(own('layerOpacity'), 0.85),
      ],
    },
  ],
  hexagons: [
    {
      fields: [
        {
          type: 'choice',
          path: 'settings.aggregate',
          label: 'aggregate',
          initial: 'count',
          values: ['count', 'sum', 'mean', 'min', 'max'],
        },
        {
          type: 'column',
          path: 'measured',
          label: 'column',
          of: 'number',
          when: (settings) => (valueAt(settings, 'settings.aggregate') ?? 'count') !== 'count',
        },
        size('settings.cellSize', 'cellSize', 24, [4, 512]),
        withoutLimits(classesCount(6, 20, 'settings.classesCount'), 'settings.limits'),
        withoutLimits(algorithm(2, 'settings.algorithm'), 'settings.limits'),
        { type: 'ramp', path: 'settings.colors', label: 'ramp', initial: ['#edf8b1', '#41b6c4', '#0c2c84'] },
        opacity('settings.opacity', 0.9),
        { type: 'flag', path: 'settings.showValues', label: 'showValues', initial: false },
      ],
    },
  ],
} satisfies Record<string, readonly FieldGroup[]>;

export type FormKind = keyof typeof forms;
