import type { ReactElement, SVGAttributes } from 'react';

export interface IconProps extends Omit<SVGAttributes<SVGSVGElement>, 'stroke'> {
  /** Width and height in pixels. */
  size?: number;
  /** Line width, in units of 1/24 of the icon's width. */
  stroke?: number;
}

/** An outline icon of Tabler (MIT) from its paths. */
export const makeIcon =
  (paths: readonly string[]) =>
  ({ size = 24, stroke = 2, ...props }: IconProps): ReactElement => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...props}
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
