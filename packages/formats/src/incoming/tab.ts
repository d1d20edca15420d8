import { noteOf } from '@cartulary/errors/notes';

/** Types of tables whose rows lie beside the .tab in supported files. */
const readTypes = /^(?:native|dbf|linked)$/i;

/** Why the header of a MapInfo table refers to no objects of its own; undefined if it does. */
export function tabWithoutObjects(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  if (/^[ \t]*create\s+view\b/im.test(text)) return noteOf('tabView');
  if (/"\\?IsSeamless"\s*=\s*"TRUE"/i.test(text)) return noteOf('tabSeamless');
  const type = /^[ \t]*type\s+"?(\w+)/im.exec(text)?.[1] ?? 'native';
  if (/^raster$/i.test(type)) return noteOf('tabImage');
  return readTypes.test(type) ? undefined : noteOf('tabElsewhere', { type: type.slice(0, 20) });
}
