import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { base } from '../common/base.js';
import { IconCheck, IconCopy } from '../common/icons.js';
import { Logo } from '../common/Logo.js';
import { useTexts } from '../common/texts/language.js';
import classes from './home.module.css';

const commands = `API=${base}/api/2.8/demo

TOKEN=$(curl -s $API/login/ -d login=admin -d password=… | cut -d'"' -f4)

curl $API/ -H "X-Token: $TOKEN" -d '{"code": "first", "name": "My first map"}'
curl $API/first/layers/ -H "X-Token: $TOKEN" -d '{"code": "places", "name": "Places"}'
curl $API/first/layers/places/import/ -H "X-Token: $TOKEN" --data-binary @places.geojson`;

/** Instructions for the first map, shown when there is none. */
export function FirstSteps(): ReactNode {
  const texts = useTexts();
  return (
    <div className={classes.first}>
      <span className={classes.firstLogo}>
        <Logo size={72} />
      </span>
      <h1 className={classes.title}>{texts.noMaps}</h1>
      <p className={classes.firstHint}>{texts.noMapsHint}</p>
      <div className={classes.terminal}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
        <pre tabIndex={0}>
          <code>{commands}</code>
        </pre>
        {window.isSecureContext && <Copy text={commands} />}
      </div>
      <p className={classes.none}>{texts.noMapsProject}</p>
      <div className={classes.firstLinks}>
        <Button component="a" href={`${base}/docs/`} size="md">
          {texts.documentation}
        </Button>
        <Button component="a" href={`${base}/api/2.8/docs/`} size="md" variant="light">
          {texts.api}
        </Button>
      </div>
    </div>
  );
}

function Copy({ text }: { text: string }): ReactNode {
  const texts = useTexts();
  const [done, setDone] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        setDone(true);
        setTimeout(() => setDone(false), 2000);
      },
      () => {}, // the browser denies access; the text can be selected and copied manually
    );
  };
  return (
    <Button
      className={classes.copy}
      variant="default"
      onClick={copy}
      leftSection={done ? <IconCheck size={16} /> : <IconCopy size={16} />}
    >
      {done ? texts.copied : texts.copy}
    </Button>
  );
}
