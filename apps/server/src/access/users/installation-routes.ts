import { Type } from 'typebox';
import type { App } from '../../http/app-type.js';
import { answers } from '../../http/params.js';
import { versions } from '../../http/versions.js';

/** The route above the interface: its versions. */
export function installationRoutes(app: App): void {
  app.get(
    '/api',
    {
      schema: {
        tags: ['projects'],
        summary: 'The versions of the interface',
        description: 'The newest first. This document describes 2.8.',
        response: answers(Type.Array(Type.String())),
      },
    },
    async () => versions,
  );
}
