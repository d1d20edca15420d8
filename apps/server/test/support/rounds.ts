/** How often a test tries what chance decides: its usual number, or `TEST_ROUNDS` times as often. */
export const rounds = (usual: number): number => Math.ceil(usual * Number(process.env.TEST_ROUNDS ?? 1));
