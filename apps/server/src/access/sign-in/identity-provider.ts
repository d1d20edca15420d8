import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Config } from '../config.js';
import type { Database } from '../db/pool.js';
import { ServiceError } from '../errors.js';
import type { Log } from '../http/service.js';
import { countingFailures } from './attempts.js';
import { openKeySet } from './key-set.js';
import { findProjectUser } from './logins.js';
import { openSession } from './sessions.js';

/** The longest external token that is looked at, characters. */
const longestToken = 16_384;

/** How far the clocks of the provider and of this machine may be apart, seconds. */
const clockTolerance = 30;

/** What failures of external tokens are counted by, beside the address. No hash of a login looks like it. */
const failuresOfTokens = 'ext-login';

/** Who vouches for users: tells the login that a token (a JSON Web Token, RFC 7519) names. */
export interface IdentityProvider {
  /** Throws 403 `login_failed` for a token that is not good, whatever is wrong with it; 503 when its key cannot be had. */
  loginOf(token: string): Promise<string>;
}

/** The identity provider of the settings; undefined where none is set. Throws an Error for the operator when its file of keys is wrong. */
export async function openIdentityProvider(config: Config, log: Log): Promise<IdentityProvider | undefined> {
  if (!config.extLoginJwks) return undefined;
  const keys = await openKeySet(config, log);
  const options = {
    issuer: config.extLoginIssuer,
    audience: config.extLoginAudience,
    algorithms: config.extLoginAlgorithms.split(','),
    clockTolerance,
    requiredClaims: ['exp'],
  };
  return {
    async loginOf(token) {
      try {
        if (token.length > longestToken) throw new errors.JWTInvalid('The token is too long');
        const { payload } = await jwtVerify(token, keys, options);
        return textClaim(payload, config.extLoginClaim);
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        const { code, claim } = error as { code?: string; claim?: string };
        log.debug({ code, claim }, 'an external token was refused');
        throw tokenRefused();
      }
    },
  };
}

/** A claim that is a text. */
function textClaim(payload: JWTPayload, claim: string): string {
  const value = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
  if (typeof value === 'string') return value;
  throw new errors.JWTClaimValidationFailed('The claim is not a text', payload, claim);
}

/** One answer for all that can be wrong with a token: whoever tries tokens learns nothing from it. */
const tokenRefused = (): ServiceError =>
  new ServiceError('login_failed', 'The external token is not good, or names no user of the project');

export interface ExternalAttempt {
  projectId: number;
  /** Of the identity provider. */
  token: string;
  /** Where the request came from. */
  address: string;
}

/**
 * Opens a session for the user of the project whom an external token names: the token of the session. Throws 403 `login_failed`,
 * 429 after too many failures from one address, 503 when the keys of the provider cannot be had.
 */
export async function logInExternally(
  { db, config }: { db: Database; config: Config },
  provider: IdentityProvider,
  { projectId, token, address }: ExternalAttempt,
): Promise<string> {
  return countingFailures({ db, config }, { login: failuresOfTokens, address }, async () => {
    const accountId = await findProjectUser(db, projectId, await provider.loginOf(token));
    if (accountId === undefined) throw tokenRefused();
    return openSession(db, { projectId, accountId, kind: 'rest', idleSeconds: config.sessionIdle });
  });
}
