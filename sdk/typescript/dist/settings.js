/** The address and the keys of a client, from the environment or from a demo's file. For programs on Node. */
import { BellwetherError } from './errors.js';
import { builtin, environment } from './platform.js';
/** `BASE_URL`, `PUBLIC_KEY` and `SECRET_KEY`; without them, the demo's file that `DEMO` names. */
export function settingsFromEnv() {
    const baseUrl = environment('BASE_URL');
    if (baseUrl === undefined) {
        return settingsFromDemo(environment('DEMO') ?? 'data/demo.json', Number(environment('USER_NUMBER') ?? 1));
    }
    const publicKey = environment('PUBLIC_KEY');
    const secretKey = environment('SECRET_KEY');
    return {
        baseUrl,
        ...(publicKey === undefined ? {} : { publicKey }),
        ...(secretKey === undefined ? {} : { secretKey }),
    };
}
/** A user of `bellwether demo`, counted from 1; the demo writes the file when it has started. */
export function settingsFromDemo(file, user) {
    const { existsSync, readFileSync } = builtin('node:fs');
    if (!existsSync(file)) {
        throw new BellwetherError(`${file} does not exist: start \`bellwether demo\`, or set BASE_URL`);
    }
    const demo = JSON.parse(readFileSync(file, 'utf8'));
    const account = demo.users[user - 1];
    if (!account)
        throw new BellwetherError(`${file} has ${demo.users.length} users, and no user ${user}`);
    return { baseUrl: demo.baseUrl, publicKey: account.publicKey, secretKey: account.secretKey };
}
