/** Allow lists for the parts of a query. Everything that is not listed is refused. */

/**
 * The content of a field of a node. `nodes`: a node or a list of nodes. The name of a kind: a node of this kind without its
 * name. `plain`: a harmless number, keyword or name.
 */
export type NodeField = 'nodes' | 'plain' | (string & {});
type Fields = Readonly<Record<string, NodeField>>;

const fields = (nodes: string, plain = '', kinds: Fields = {}): Fields => ({
  ...Object.fromEntries(
    nodes
      .split(' ')
      .filter(Boolean)
      .map((name) => [name, 'nodes']),
  ),
  ...Object.fromEntries(`${plain} location`.split(' ').map((name) => [name, 'plain'])),
  ...kinds,
});

/**
 * The kinds of nodes and their fields, https://github.com/pganalyze/libpg_query/blob/18-latest/protobuf/pg_query.proto.
 * `check.ts` has further checks for some of them.
 */
export const nodeKinds: Readonly<Record<string, Fields>> = {
  SelectStmt: fields(
    'distinctClause targetList fromClause whereClause groupClause havingClause windowClause valuesLists sortClause limitOffset limitCount',
    'groupDistinct limitOption op all',
    { withClause: 'WithClause', larg: 'SelectStmt', rarg: 'SelectStmt' },
  ),
  WithClause: fields('ctes'),
  CommonTableExpr: fields('aliascolnames ctequery', 'ctename ctematerialized'),
  ResTarget: fields('val', 'name'),
  RangeVar: fields('', 'schemaname relname inh relpersistence', { alias: 'Alias' }),
  RangeSubselect: fields('subquery', 'lateral', { alias: 'Alias' }),
  JoinExpr: fields('larg rarg usingClause quals', 'jointype isNatural', {
    alias: 'Alias',
    join_using_alias: 'Alias',
  }),
  Alias: fields('colnames', 'aliasname'),
  ColumnRef: fields('fields'),
  A_Star: fields(''),
  String: fields('', 'sval'),
  Integer: fields('', 'ival'),
  A_Const: fields('', 'ival fval boolval sval isnull'),
  A_Expr: fields('name lexpr rexpr', 'kind rexpr_list_start rexpr_list_end'),
  A_ArrayExpr: fields('elements', 'list_start list_end'),
  BoolExpr: fields('args', 'boolop'),
  NullTest: fields('arg', 'nulltesttype'),
  BooleanTest: fields('arg', 'booltesttype'),
  CaseExpr: fields('arg args defresult'),
  CaseWhen: fields('expr result'),
  CoalesceExpr: fields('args'),
  MinMaxExpr: fields('args', 'op'),
  RowExpr: fields('args', 'row_format'),
  List: fields('items'),
  SubLink: fields('testexpr operName subselect', 'subLinkType'),
  FuncCall: fields(
    'funcname args agg_order agg_filter',
    'agg_star agg_distinct agg_within_group funcformat',
    {
      over: 'WindowDef',
    },
  ),
  WindowDef: fields('partitionClause orderClause startOffset endOffset', 'name refname frameOptions'),
  SortBy: fields('node', 'sortby_dir sortby_nulls'),
  GroupingSet: fields('content', 'kind'),
  GroupingFunc: fields('args'),
  TypeCast: fields('arg', '', { typeName: 'TypeName' }),
  TypeName: fields('names typmods arrayBounds', 'typemod'),
  SQLValueFunction: fields('', 'op typmod'),
};

const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Allowed functions. None reads files, settings or tables by name, waits, writes, or returns a result much larger than its
 * arguments. So there is no repeat, lpad, format, generate_series, st_segmentize or st_generatepoints.
 */
export const functions: ReadonlySet<string> = new Set([
  // numbers
  ...words(`abs ceil ceiling floor round trunc sign sqrt cbrt power exp ln log mod div pi degrees radians
      sin cos tan asin acos atan atan2 width_bucket`),
  // texts
  ...words(`lower upper initcap length char_length character_length octet_length btrim ltrim rtrim left right
      substring substr overlay position strpos replace translate reverse split_part concat concat_ws starts_with
      regexp_replace regexp_match regexp_like regexp_count regexp_substr like_escape md5 ascii chr to_char to_number
      normalize`),
  // dates
  ...words(`extract date_part date_trunc date_bin timezone to_timestamp to_date make_date make_timestamptz
      make_timestamp make_interval age isfinite`),
  // JSON and arrays
  ...words(`to_jsonb to_json jsonb_build_object jsonb_build_array json_build_object json_build_array
      jsonb_extract_path jsonb_extract_path_text jsonb_array_length jsonb_typeof jsonb_strip_nulls jsonb_set jsonb_path_exists
      jsonb_path_query_first array_length cardinality array_to_string string_to_array array_position array_append
      array_remove`),
  // aggregates and windows
  ...words(`count sum avg min max bool_and bool_or every string_agg array_agg jsonb_agg json_agg jsonb_object_agg
      json_object_agg stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp regr_slope
      regr_intercept regr_r2 mode percentile_cont percentile_disc any_value
      row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value`),
  // PostGIS: properties of geometries
  ...words(`st_x st_y st_z st_m st_area st_length st_perimeter st_npoints st_numgeometries st_geometryn st_pointn
      st_numpoints st_startpoint st_endpoint st_exteriorring st_interiorringn st_numinteriorrings st_dimension st_ndims
      st_coorddim st_geometrytype geometrytype st_srid st_isempty st_isvalid st_isvalidreason st_isclosed st_issimple
      st_isring st_xmin st_xmax st_ymin st_ymax st_zmin st_zmax st_astext st_asgeojson st_geohash st_hasarc
      st_distance st_distancesphere st_distancespheroid st_length2d st_3dlength st_3ddistance st_azimuth st_angle st_maxdistance
      st_hausdorffdistance st_memsize`),
  // PostGIS: relations between geometries
  ...words(`st_intersects st_contains st_within st_covers st_coveredby st_crosses st_overlaps st_touches st_disjoint
      st_equals st_dwithin st_dfullywithin st_relate st_orderingequals st_containsproperly st_3dintersects st_3ddwithin`),
  // PostGIS: new geometries
  ...words(`st_transform st_setsrid st_centroid st_pointonsurface st_envelope st_convexhull st_concavehull
      st_boundary st_union st_intersection st_difference st_symdifference st_collect st_unaryunion st_makevalid st_multi
      st_simplify st_simplifypreservetopology st_simplifyvw st_snaptogrid st_snap st_force2d st_force3d st_reverse
      st_forcepolygoncw st_forcepolygonccw st_makepoint st_point st_makeline st_makepolygon st_makeenvelope st_polygon
      st_geomfromtext st_geomfromgeojson st_linemerge st_lineinterpolatepoint st_linesubstring st_linelocatepoint
      st_closestpoint st_shortestline st_longestline st_collectionextract st_collectionhomogenize st_flipcoordinates
      st_shiftlongitude st_wrapx st_translate st_scale st_rotate st_removerepeatedpoints st_minimumboundingcircle
      st_orientedenvelope st_buildarea st_polygonize st_node st_split st_sharedpaths st_extent st_clusterdbscan
      st_clusterkmeans st_offsetcurve st_clipbybox2d st_linecrossingdirection`),
  'st_buffer',
]);

/** Aggregates whose result is as large as their input: as window functions they would return it once for each row. */
export const collectingAggregates: ReadonlySet<string> = new Set(
  words(`string_agg array_agg jsonb_agg json_agg jsonb_object_agg json_object_agg st_union st_collect st_makeline
    st_polygonize`),
);

/**
 * Minimum and maximum numbers of arguments. A third argument of st_buffer or st_offsetcurve creates any number of points, one of
 * st_hausdorffdistance or st_clusterkmeans any amount of work that no time limit interrupts; `age` of one date reads the clock.
 */
export const argumentCounts: Readonly<Record<string, readonly [number, number]>> = {
  st_buffer: [2, 2],
  st_offsetcurve: [2, 2],
  st_hausdorffdistance: [2, 2],
  st_clusterkmeans: [2, 2],
  st_transform: [2, 2],
  age: [2, 2],
};

/**
 * Functions of texts whose time is the product of their arguments, so the schema of queries has bounded ones of the same names. The
 * forms of SQL mean those of PostgreSQL: there the second argument must be a short constant.
 */
export const boundedFunctions: ReadonlySet<string> = new Set(
  words(
    `translate btrim ltrim rtrim strpos position replace split_part string_to_array to_date to_timestamp to_number`,
  ),
);

/**
 * Functions whose second argument must be an integer constant, with its name and maximum. A text argument of st_transform
 * could name files of PROJ. The cost of the other functions grows with the number, and no time limit interrupts them.
 */
export const integerArguments: Readonly<Record<string, { name: string; max: number }>> = {
  st_transform: { name: 'projection', max: 999_999 },
  st_clusterkmeans: { name: 'number of clusters', max: 1_000 },
  st_geohash: { name: 'length', max: 100 },
  st_asgeojson: { name: 'number of digits', max: 100 },
  st_astext: { name: 'number of digits', max: 100 },
  st_minimumboundingcircle: { name: 'number of segments', max: 1_000 },
};

/** Functions and values that read the clock: allowed in queries whose result is stored. */
export const clockFunctions: ReadonlySet<string> = new Set(['now']);
export const clockValues: ReadonlySet<string> = new Set([
  'SVFOP_CURRENT_DATE',
  'SVFOP_CURRENT_TIMESTAMP',
  'SVFOP_LOCALTIMESTAMP',
]);

export const operators: ReadonlySet<string> = new Set(
  words(`+ - * / % ^ |/ ||/ @ & | # << >> || = <> != < > <= >= ~~ !~~ ~~* !~~* ~ !~ ~* !~*
    && @> <@ -> ->> #> #>> ? ?| ?& <->`),
);

/** Types of casts: the parser's names of types of pg_catalog. */
export const types: ReadonlySet<string> = new Set(
  words(`int2 int4 int8 integer bigint smallint float4 float8 numeric decimal text varchar bpchar bool boolean date
    timestamp timestamptz time timetz interval json jsonb geometry geography`),
);
