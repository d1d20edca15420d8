/** An icon of Tabler by its name; `scripts/icons.ts` makes the module. */
declare module 'tabler:*' {
  const Icon: (props: import('./makeIcon.js').IconProps) => import('react').ReactElement;
  export default Icon;
}
