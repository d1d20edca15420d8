/** The check of XML by mappings of schemas: what it takes, and that it reports faults, each with its place. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { ContentModel } from './support/content-model.js';
import { featureMapping } from './support/feature-schema.js';
import { loadMappings } from './support/jsonix-mappings.js';
import { faultsOf } from './support/validator.js';

const xsd = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:map="urn:map" targetNamespace="urn:map" elementFormDefault="qualified">
  <xsd:import namespace="http://www.opengis.net/gml/3.2" schemaLocation="http://schemas.opengis.net/gml/3.2.1/gml.xsd"/>
  <xsd:complexType name="roadType"><xsd:complexContent><xsd:extension base="gml:AbstractFeatureType"><xsd:sequence>
    <xsd:element name="title" type="xsd:string"/>
    <xsd:element name="lanes" type="xsd:double" minOccurs="0"/>
    <xsd:element name="geom" type="gml:CurvePropertyType" minOccurs="0"/>
  </xsd:sequence></xsd:extension></xsd:complexContent></xsd:complexType>
  <xsd:element name="road" type="map:roadType" substitutionGroup="gml:AbstractFeature"/>
</xsd:schema>`;
const mappings = loadMappings('WFS_2_0', 'GML_3_2_1');
const standards = new ContentModel(mappings);
const model = new ContentModel([...mappings, featureMapping(xsd, mappings)]);

const namespaces =
  'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:map="urn:map"';
const line =
  '<gml:LineString gml:id="road.1.geom" srsName="urn:x"><gml:posList srsDimension="2">0 0 1.5 1e3</gml:posList></gml:LineString>';
const collection = `<wfs:FeatureCollection ${namespaces} xsi:schemaLocation="urn:map urn:x" timeStamp="2024-01-01T00:00:00.5Z" numberMatched="unknown" numberReturned="2">
<wfs:boundedBy><gml:Envelope><gml:lowerCorner>0 0</gml:lowerCorner><gml:upperCorner>1 1</gml:upperCorner></gml:Envelope></wfs:boundedBy>
<wfs:member><map:road gml:id="road.1"><map:title>A</map:title><map:lanes>2</map:lanes><map:geom>${line}</map:geom></map:road></wfs:member>
<wfs:member><map:road gml:id="road.2"><gml:name>B</gml:name><map:title/><map:geom xlink:href="#road.1.geom"/></map:road></wfs:member>
</wfs:FeatureCollection>`;
const description = `<wfs:DescribeStoredQueriesResponse ${namespaces}><wfs:StoredQueryDescription id="q">
<wfs:Title xml:lang="en">By id</wfs:Title><wfs:Parameter name="id" type="map:t"/>
<wfs:QueryExpressionText returnFeatureTypes="map:road" language="l" isPrivate="true"><wfs:Query typeNames="road"/></wfs:QueryExpressionText>
</wfs:StoredQueryDescription></wfs:DescribeStoredQueriesResponse>`;
const domain = `<ows:OperationsMetadata ${namespaces}>
<ows:Operation name="A"><ows:DCP><ows:HTTP><ows:Post xlink:href="u"/><ows:Get xlink:href="u"/></ows:HTTP></ows:DCP></ows:Operation>
<ows:Operation name="B"><ows:DCP><ows:HTTP><ows:Get xlink:href="u"/></ows:HTTP></ows:DCP></ows:Operation>
<ows:Parameter name="p"><ows:AllowedValues><ows:Value>1</ows:Value></ows:AllowedValues><ows:DefaultValue>1</ows:DefaultValue></ows:Parameter>
</ows:OperationsMetadata>`;

test('documents without a fault', () => {
  for (const xml of [collection, description, domain]) assert.deepEqual(faultsOf(xml, model), []);
  const values = `<wfs:ValueCollection ${namespaces} timeStamp="2024-01-01T00:00:00Z" numberMatched="1" numberReturned="1">
<wfs:member><map:geom any="1">${line}</map:geom></wfs:member></wfs:ValueCollection>`;
  assert.deepEqual(faultsOf(values, standards), [], 'elements of a namespace without a schema are left');
});

/** A document, a change of it, and the fault of the changed document. */
const faults: [document: string, from: string, to: string, fault: RegExp][] = [
  [
    collection,
    '<map:lanes>2</map:lanes>',
    '<map:lane>2</map:lane>',
    /member\/map:road\/map:lane: the element is not allowed/,
  ],
  [
    collection,
    '<gml:name>B</gml:name><map:title/>',
    '<map:title/><gml:name>B</gml:name>',
    /member\[2\]\/map:road\/gml:name: .*wrong order.*before title$/,
  ],
  [
    collection,
    ' numberReturned="2"',
    '',
    /^\/wfs:FeatureCollection: the attribute numberReturned is missing$/,
  ],
  [
    collection,
    ' numberReturned="2"',
    ' numberReturned="2.0"',
    /numberReturned is '2\.0', which is no NonNegativeInteger/,
  ],
  [
    collection,
    ' numberReturned="2"',
    ' numberReturned="2" number="2"',
    /the attribute number is not allowed/,
  ],
  [collection, ' gml:id="road.2"', ' id="road.2"', /the attribute id is not allowed/],
  [collection, ' gml:id="road.2"', '', /the attribute id is missing/],
  [collection, ' gml:id="road.2"', ' gml:id="road.1"', /gml:id 'road\.1' occurs twice/],
  [collection, ' gml:id="road.2"', ' gml:id="2"', /gml:id is '2', which is no ID/],
  [collection, '01T00:00:00.5Z', '01 00:00:00.5Z', /timeStamp is .* no DateTime/],
  [collection, '<map:lanes>2<', '<map:lanes>two<', /its text is 'two', which is no Double/],
  [collection, '<map:lanes>2<', '<map:lanes><b>2</b><', /map:lanes\/b: the element is not allowed/],
  [collection, '<map:title/>', '', /map:road: title is missing/],
  [collection, '<map:title/>', '<map:title/><map:title/>', /map:title\[2\]: at most 1 of it/],
  [
    collection,
    '<map:road gml:id="road.2">',
    'text<map:road gml:id="road.2">text',
    /map:road: text may not stand here/,
  ],
  [collection, ' xlink:href="#road.1.geom"', '', /map:geom: abstractCurve is missing/],
  [
    collection,
    line,
    '<gml:Point gml:id="p"><gml:pos>0 0</gml:pos></gml:Point>',
    /gml:Point: the element is not allowed/,
  ],
  [collection, line, '<gml:AbstractCurve gml:id="c"/>', /gml:AbstractCurve: the element is not allowed/],
  [collection, '0 0 1.5 1e3', '0,0 1.5,1e3', /gml:posList: its text is .* no list of Double/],
  [collection, 'srsDimension="2"', 'srsDimension="0"', /srsDimension is '0', which is no PositiveInteger/],
  [
    collection,
    '</gml:posList>',
    '</gml:posList><gml:coordinates>0,0</gml:coordinates>',
    /gml:LineString: one of .*posList, coordinates excludes the others/,
  ],
  [collection, '<gml:upperCorner>1 1</gml:upperCorner>', '', /gml:Envelope: upperCorner is missing/],
  [
    collection,
    '<map:road gml:id="road.2">',
    '<wfs:Feature/><map:road gml:id="road.2">',
    /wfs:member\[2\]\/wfs:Feature: the element is not known/,
  ],
  [collection, 'wfs:FeatureCollection', 'wfs:Features', /^\/wfs:Features: the element is not known$/],
  [description, 'isPrivate="true"', 'isPrivate="TRUE"', /isPrivate is 'TRUE', which is no Boolean/],
  [description, 'type="map:t"', 'type="other:t"', /type is 'other:t', which is no QName/],
  [description, '"map:road"', '"map:road other:road"', /returnFeatureTypes is .* no list of QName/],
  [
    description,
    '<wfs:Query typeNames="road"/>',
    '<x xmlns="urn:x"><wfs:Query/></x>',
    /wfs:Query: the attribute typeNames is missing/,
  ],
  [
    domain,
    '</ows:AllowedValues>',
    '</ows:AllowedValues><ows:NoValues/>',
    /ows:Parameter: one of allowedValues, .* excludes the others/,
  ],
  [
    domain,
    '<ows:AllowedValues><ows:Value>1</ows:Value></ows:AllowedValues>',
    '',
    /ows:Parameter: one of allowedValues, .* is missing/,
  ],
  [
    domain,
    ' xlink:href="u"',
    ' xlink:href="u" xlink:show="never"',
    /xlink:show is 'never', which is no value among new/,
  ],
  [
    domain,
    '<ows:Get xlink:href="u"/></ows:HTTP></ows:DCP></ows:Operation>\n<ows:P',
    '</ows:HTTP></ows:DCP></ows:Operation>\n<ows:P',
    /Operation\[2\]\/ows:DCP\/ows:HTTP: Post or Get is missing/,
  ],
];

test('faults, each with its place', () => {
  for (const [document, from, to, fault] of faults) {
    assert.ok(document.includes(from), from);
    const found = faultsOf(document.replaceAll(from, to), model);
    assert.ok(
      found.some((one) => fault.test(one)),
      `${from} → ${to}: ${JSON.stringify(found)}, not ${fault}`,
    );
  }
});

test('schemas of features that the service does not write', () => {
  for (const [from, to, fault] of [
    ['gml:CurvePropertyType', 'gml:RoadPropertyType', /type gml:RoadPropertyType is not known/],
    ['xsd:double', 'xsd:decimal', /type xsd:decimal is not known/],
    ['xsd:sequence', 'xsd:all', /xsd:all stands where sequence is expected/],
    [
      '<xsd:element name="road"',
      '<xsd:attribute name="a"/><xsd:element name="road"',
      /xsd:attribute is not expected/,
    ],
  ] as const)
    assert.throws(() => featureMapping(xsd.replaceAll(from, to), mappings), fault);
});
