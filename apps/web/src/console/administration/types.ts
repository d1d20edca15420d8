import type { AnswerOf } from '@cartulary/client';

/** A project of the service. */
export type ListedProject = AnswerOf<'/api/2.8/', 'get'>[number];
