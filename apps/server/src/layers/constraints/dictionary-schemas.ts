import { Type } from 'typebox';

export const describedText = (description: string) => Type.String({ description });

const LinkCodes = {
  map_code: describedText('Map of the column'),
  layer_code: describedText('Layer of the column'),
  column_code: describedText('The column'),
  dict_map_code: describedText('Map of the dictionary'),
  dict_layer_code: describedText('Layer of the dictionary'),
  dict_column_code: describedText('The column with its values'),
};

export const StrictAnswer = Type.Object({
  constraint_name: describedText('Name of the constraint'),
  ...LinkCodes,
});

export const MatchType = Type.Union(
  [Type.Literal('equal'), Type.Literal('prefix'), Type.Literal('contains')],
  {
    description: 'How what is typed is compared with the values',
  },
);

export const HintAnswer = Type.Object({
  id: describedText('Ids of the map, the layer and the column, joined by underscores'),
  match_type: MatchType,
  multi_delimiter: describedText('Delimiters between several values; empty: one value'),
  ...LinkCodes,
});

/** The body of a new link. The path has the codes of the column's map and layer. */
export const LinkBody = {
  column_code: LinkCodes.column_code,
  dict_map_code: Type.Optional(describedText('Map of the dictionary; the same map when absent')),
  dict_layer_code: LinkCodes.dict_layer_code,
  dict_column_code: LinkCodes.dict_column_code,
};

/** The codes of a dictionary, where a body need not have one. */
export const DictionaryCodes = {
  dict_map_code: LinkBody.dict_map_code,
  dict_layer_code: Type.Optional(LinkBody.dict_layer_code),
  dict_column_code: Type.Optional(LinkBody.dict_column_code),
};

export interface LinkInput {
  column_code: string;
  dict_map_code?: string;
  dict_layer_code: string;
  dict_column_code: string;
}
