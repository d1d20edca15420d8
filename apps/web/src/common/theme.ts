import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, Portal } from '@mantine/core';

/** The primary colour, a blue-green. From shade 7 on its contrast to the light background is 4.5:1. */
const ink: MantineColorsTuple = [
  '#e9f5f4',
  '#d6e8e6',
  '#aed1cd',
  '#83b9b3',
  '#5fa59e',
  '#489891',
  '#3a928a',
  '#16716a',
  '#0d5f59',
  '#004d48',
];

/** Greys with a tint of the primary colour, for the dark scheme. */
const dark: MantineColorsTuple = [
  '#d3dad9',
  '#b3bdbc',
  '#8f9b9a',
  '#687574',
  '#3d4948',
  '#2f3a39',
  '#253030',
  '#1b2424',
  '#151c1c',
  '#0e1313',
];

const headingFonts =
  "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, 'Noto Serif', Georgia, 'Liberation Serif', serif";

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  luminanceThreshold: 0.36,
  colors: { ink, dark },
  fontFamily:
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif",
  headings: { fontFamily: headingFonts, fontWeight: '600' },
  defaultRadius: 'md',
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: { Portal: Portal.extend({ defaultProps: { target: '#menus' } }) },
});

/** Light buttons of the dark scheme. The ground that Mantine computes for them hardly differs from the page. */
export const schemeVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {},
  dark: {
    '--mantine-color-ink-light': ink[9],
    '--mantine-color-ink-light-hover': ink[8],
    '--mantine-color-ink-light-color': ink[1],
  },
});
