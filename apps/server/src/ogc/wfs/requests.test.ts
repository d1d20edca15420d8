import assert from 'node:assert/strict';
import test from 'node:test';
import { kvpRequest, xmlRequest } from './requests.js';

const asked = { service: 'WFS', version: '2.0.0', request: 'GetFeature' };

test('many ids of resources are grouped by their layers in one pass', async () => {
  const ids = Array.from({ length: 400_000 }, (_, i) => `${i % 2 ? 'towns' : 'roads'}.${i}`);
  const { features } = await kvpRequest({ ...asked, resourceid: ids.join(',') });
  assert.deepEqual(
    features.map(({ layer, resources }) => [layer, resources?.length, resources?.[1]]),
    [
      ['roads', 200_000, 'roads.2'],
      ['towns', 200_000, 'towns.3'],
    ],
  );
});

const sorted = (text: string) =>
  xmlRequest(
    Buffer.from(
      `<GetFeature service="WFS" version="2.0.0"><Query typeNames="towns"><SortBy><SortProperty>
<ValueReference>${text}</ValueReference></SortProperty></SortBy></Query></GetFeature>`,
    ),
    2 ** 21,
  );

test('an order is read in time that grows with its text', async () => {
  await assert.rejects(sorted(`a${'+'.repeat(400_000)}!x`), { status: 400 });
  await assert.rejects(sorted('+'.repeat(400_000)), { status: 400 });
  const { features } = await kvpRequest({ ...asked, sortby: ' name , people+DESC,b  a' });
  assert.equal(features[0]!.sort, 'name,a|people,d|b,a');
});
