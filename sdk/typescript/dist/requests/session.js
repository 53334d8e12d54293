/** Login and API keys. These are never repeated after an unknown outcome: each may have been executed. */
import { encode } from '../json.js';
/** Begins a session. */
export function login(email, password) {
    const body = encode({ email, password });
    return { method: 'POST', path: '/v1/user/login', query: '', body, access: 'public', repeat: 'never' };
}
/** Creates an API key. */
export function createKey(session, name) {
    return {
        method: 'POST',
        path: '/v1/user/me/api-keys',
        query: '',
        body: encode({ name }),
        access: 'session',
        repeat: 'never',
        headers: { 'x-auth-token': session.token, 'x-device-id': session.deviceId },
    };
}
