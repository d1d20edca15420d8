export interface ExternalConfig {
  externalHosts: string;
}
export function checkExternal(_json: Record<string, unknown>, _config: ExternalConfig): void {}
