import type { ReactNode } from 'react';
import { useTexts } from '../common/texts/language.js';
import { isEmbedded } from './addressState.js';
import { EmbedTitle } from './EmbedTitle.js';
import { FilterNotes } from './filters/FilterNotes.js';
import { extentOf } from './map/geometry.js';
import { MapCanvas } from './map/MapCanvas.js';
import { isNarrow } from './map/padding.js';
import { ObjectPanel } from './panels/ObjectPanel.js';
import { SearchField } from './panels/SearchField.js';
import { SidePanel } from './panels/SidePanel.js';
import type { SearchResult } from './search.js';
import { ToolPanel } from './tools/ToolPanel.js';
import { ToolsMenu } from './tools/ToolsMenu.js';
import { useViewer, type ViewerParts, type ViewerProps } from './useViewer.js';
import classes from './viewer.module.css';

/** The map with its panels. */
export function Viewer(props: ViewerProps): ReactNode {
  const texts = useTexts();
  const parts = useViewer(props);
  const { map, language, canvas, pointing } = parts;
  return (
    <div
      className={classes.viewer}
      data-embedded={isEmbedded() || undefined}
      data-beside={pointing.target || parts.tool ? true : undefined}
    >
      <button type="button" className={classes.skip} onClick={() => canvas.view?.focus()}>
        {texts.skipToMap}
      </button>
      {isEmbedded() ? <EmbedTitle map={map} language={language} /> : <Side parts={parts} />}
      <MapCanvas
        map={map}
        label={texts.mapHelp}
        {...canvas}
        tools={!isEmbedded() && <ToolsMenu onOpen={parts.openTool} />}
        onPoint={parts.onPoint}
      />
      <FilterNotes filters={parts.filters} layers={parts.layers.visible} language={language} />
      <Beside parts={parts} />
    </div>
  );
}

/** Name, search and layers of the map. On a phone only one of layers, object and tool is open. */
function Side({ parts }: { parts: ViewerParts }): ReactNode {
  const { map, items, address, layers, language, sheet } = parts;
  const onChoose = (result: SearchResult): void => {
    sheet.closeOnPhone();
    parts.choose(result);
  };
  const onOpen = (open: boolean): void => {
    if (open && isNarrow()) {
      parts.pointing.clear();
      parts.setTool(null);
    }
    sheet.setOpen(open);
  };
  const search = <SearchField map={address} items={items} language={language} onChoose={onChoose} />;
  return (
    <SidePanel
      map={map}
      layers={layers}
      language={language}
      isOpen={sheet.isOpen}
      toggle={sheet.toggle}
      onOpen={onOpen}
      search={layers.roots.length > 0 && search}
    />
  );
}

/** The object that is open, else the tool, which stays as it is behind an object. */
function Beside({ parts }: { parts: ViewerParts }): ReactNode {
  const { pointing, address, language, moveTo, tool } = parts;
  return (
    <>
      {pointing.target && (
        <aside className={classes.object}>
          <ObjectPanel
            pointing={pointing}
            map={address}
            language={language}
            onZoom={({ object }) => moveTo(object.geom ? extentOf(object.geom) : null)}
            onClose={parts.closeObject}
          />
        </aside>
      )}
      {tool && (
        <aside className={`${classes.object} ${classes.tool}`} hidden={pointing.target !== null}>
          <ToolPanel tool={tool} context={parts.toolContext} onClose={parts.closeTool} />
        </aside>
      )}
    </>
  );
}
