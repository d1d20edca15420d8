import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import type { Log } from '@cartulary/runtime';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Config } from '../../config.js';
import { countingFailures } from './attempts.js';
import { openKeySet } from './key-set.js';
import { findProjectUser } from './logins.js';
import { openSession } from './sessions.js';

/** Longest external token, characters. */
const maxTokenLength = 16_384;

/** Largest difference between the clocks of the provider and of this machine. */
const clockToleranceS = 30;

/** The key of failed external tokens, beside the address. No hash of a login has this form. */
const failuresOfTokens = 'ext-login';

/** Verifies external tokens (JSON Web Tokens, RFC 7519) and reads their login. */
export interface IdentityProvider {
  /** Throws 403 `login_failed` for any invalid token, 503 when the keys cannot be read. */
  loginOf(token: string): Promise<string>;
}

/**
 * The identity provider of the settings; undefined when none is set. Throws an Error for the operator when
 * its key file is wrong.
 */
export async function openIdentityProvider(config: Config, log: Log): Promise<IdentityProvider | undefined> {
  if (!config.extLoginJwks) return undefined;
  const keys = await openKeySet(config, log);
  const options = {
    issuer: config.extLoginIssuer,
    audience: config.extLoginAudience,
    algorithms: config.extLoginAlgorithms.split(','),
    clockTolerance: clockToleranceS,
    requiredClaims: ['exp'],
  };
  return {
    async loginOf(token) {
      try {
        if (token.length > maxTokenLength) throw new errors.JWTInvalid('The token is too long');
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

/** The value of a claim. Throws unless it is a text. */
function textClaim(payload: JWTPayload, claim: string): string {
  const value = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
  if (typeof value === 'string') return value;
  throw new errors.JWTClaimValidationFailed('The claim is not a text', payload, claim);
}

/** One error for every invalid token, so that an attacker learns nothing from it. */
const tokenRefused = (): ServiceError =>
  new ServiceError('login_failed', 'The external token is not good, or names no user of the project');

export interface ExternalAttempt {
  projectId: number;
  /** A token of the identity provider. */
  token: string;
  /** Address of the request. */
  address: string;
}

/**
 * Opens a session for the user of the project that an external token names. Returns the token of the session.
 * Throws 403 `login_failed`, 429 after too many failures from one address, 503 when the keys of the provider
 * cannot be read.
 */
export async function logInExternally(
  { db, config }: { db: Database; config: Config },
  provider: IdentityProvider,
  { projectId, token, address }: ExternalAttempt,
): Promise<string> {
  return countingFailures({ db, config }, { login: failuresOfTokens, address }, async () => {
    const accountId = await findProjectUser(db, projectId, await provider.loginOf(token));
    if (accountId === undefined) throw tokenRefused();
    return openSession(db, {
      projectId,
      accountId,
      kind: 'rest',
      idleSeconds: config.sessionIdleS,
      most: config.sessionsPerUser,
    });
  });
}
