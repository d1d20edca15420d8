import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { base } from '../common/base.js';
import { Logo } from '../common/Logo.js';
import { useTexts } from '../common/texts/language.js';
import classes from './home.module.css';

/** Where the first map is made, shown when there is none. */
export function FirstSteps(): ReactNode {
  const texts = useTexts();
  return (
    <div className={classes.first}>
      <span className={classes.firstLogo}>
        <Logo size={72} />
      </span>
      <h1 className={classes.title}>{texts.noMaps}</h1>
      <p className={classes.firstHint}>{texts.noMapsHint}</p>
      <div className={classes.firstLinks}>
        <Button component="a" href={`${base}/console/`} size="md">
          {texts.console}
        </Button>
        <Button component="a" href={`${base}/docs/`} size="md" variant="light">
          {texts.documentation}
        </Button>
        <Button component="a" href={`${base}/api/2.8/docs/`} size="md" variant="light">
          {texts.api}
        </Button>
      </div>
    </div>
  );
}
