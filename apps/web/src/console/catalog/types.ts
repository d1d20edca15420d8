import type { AnswerOf } from '@cartulary/client';

/** A map of the project. */
export type CatalogMap = AnswerOf<'/api/2.8/{project}/maps/', 'get'>[number];
