import { mediaTypeIn } from '../common/kvp.js';
import { owsError } from '../common/ows-exceptions.js';

/** Media types of answers with features. */
export const gmlType = 'application/gml+xml; version=3.2';
export const wfsJsonType = 'application/json';

const names: Readonly<Record<'gml' | 'json', RegExp>> = {
  gml: /^((application\/gml\+xml|text\/xml)(;\s*(version|subtype)=["']?(gml\/)?3\.2(\.\d)?["']?)?|gml3(2|\.2)?|application\/xml)$/i,
  json: /^((application\/)?(vnd\.geo\+|geo\+)?json|geojson)$/i,
};

/** The form that an outputFormat names; GML without one. */
export function outputFormOf(text: string | undefined): 'gml' | 'json' {
  if (!text) return 'gml';
  const asked = mediaTypeIn(text);
  for (const form of ['gml', 'json'] as const) if (names[form].test(asked)) return form;
  throw owsError(
    'InvalidParameterValue',
    `The formats are ${gmlType} and ${wfsJsonType}, not '${text.slice(0, 100)}'`,
    'outputFormat',
  );
}
