/** One file per icon: the package's index would make every build read six thousand of them. */
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  const Icon: (
    props: Omit<import('react').SVGAttributes<SVGSVGElement>, 'stroke'> & { size?: number; stroke?: number },
  ) => import('react').ReactElement;
  export default Icon;
}
