export const id = 164;
export const ids = [164];
export const modules = {

/***/ 8367:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   KL: () => (/* binding */ nameRepository),
/* harmony export */   Lg: () => (/* binding */ toGitHubError),
/* harmony export */   ur: () => (/* binding */ callGitHub)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8544);
/* harmony import */ var _read_answer_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9298);
/* harmony import */ var _request_budget_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8130);



/** How messages name a repository, with a commit where one is meant. */
function nameRepository({ owner, repo }, sha) {
    return sha === undefined ? `\`${owner}/${repo}\`` : `\`${owner}/${repo}\`@\`${sha.slice(0, 7)}\``;
}
/**
 * Runs one request and makes what it throws a `GitHubError`.
 *
 * @throws {GitHubError} whatever went wrong.
 */
async function callGitHub(about, run) {
    try {
        return await run();
    }
    catch (error) {
        throw toGitHubError(error, about);
    }
}
/** Says what was tried, on what, what GitHub answered and what to do. A `GitHubError` that says so already stays as it is. */
function toGitHubError(error, about) {
    if (error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_ && error.operation !== _request_budget_js__WEBPACK_IMPORTED_MODULE_2__/* .waitingForTurn */ .q)
        return error;
    const answer = (0,_read_answer_js__WEBPACK_IMPORTED_MODULE_1__/* .readAnswer */ .J)(error);
    // GraphQL refuses with status 200, which would only confuse.
    const said = answer.status === undefined || answer.status < 400 ? answer.message : `${answer.status} ${answer.message}`;
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_(`Cannot ${about.operation} on ${about.on}: ${said}`, {
        failure: answer.failure,
        operation: about.operation,
        status: answer.status,
        requestId: answer.requestId,
        permission: about.permission,
        retryAfterMs: answer.waitMs,
        hint: toHint(answer.failure, about, answer.waitMs),
        cause: error,
    });
}
function toHint(failure, { permission }, waitMs) {
    switch (failure) {
        case 'unauthorized':
            return 'check the app id, its private key and the clock of this machine';
        case 'forbidden':
            return permission === undefined
                ? 'check the permissions of the app and that the installation is not suspended'
                : `grant the app \`${permission}\` and let the account accept it`;
        case 'rate-limited':
            return `wait ${Math.ceil((waitMs ?? 60_000) / 1000)} s; the update is tried again by itself`;
        case 'not-found':
            return 'check that the app is installed on the repository and that it still exists under this name';
        case 'protected':
            return 'let the app bypass the rule, or merge the change by a pull request';
        case 'conflict':
            return 'it has changed meanwhile: read it again and try once more';
        case 'invalid':
            return 'this is a fault of openapi-pages: please report it with this message';
        case 'unavailable':
            return 'GitHub has trouble (githubstatus.com); the update is tried again by itself';
        case 'unreachable':
            return 'check the network, the proxy and the address of the GitHub API';
        case 'refused':
            return undefined;
    }
}


/***/ }),

/***/ 9298:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ readAnswer)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8544);
/* harmony import */ var _text_is_object_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(991);


/** Reads what Octokit threw: its own error with a status, a refusal inside a GraphQL answer, or a connection that failed. */
function readAnswer(error) {
    if (error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_) {
        const { failure, status, requestId, message } = error;
        return {
            failure,
            status,
            headers: undefined,
            requestId,
            message,
            isLimit: failure === 'rate-limited',
            waitMs: error.retryAfterMs,
            url: undefined,
        };
    }
    const { response, request } = (0,_text_is_object_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .G)(error) ? error : {};
    // A status without an answer is Octokit's word for a connection that failed.
    const isGraphql = (0,_text_is_object_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .G)(response) && Array.isArray(response['errors']);
    const status = (0,_text_is_object_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .G)(response) ? (isGraphql ? 200 : toNumber(response['status'])) : undefined;
    const headerSource = isGraphql
        ? (0,_text_is_object_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .G)(error)
            ? error['headers']
            : undefined
        : (0,_text_is_object_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .G)(response)
            ? response['headers']
            : undefined;
    const headers = (0,_text_is_object_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .G)(headerSource) ? headerSource : undefined; // Octokit keeps texts and numbers only.
    const message = toMessage(error, isGraphql ? response['errors'] : undefined);
    const graphqlType = isGraphql ? firstType(response['errors']) : undefined;
    const isLimit = graphqlType === 'RATE_LIMITED' ||
        status === 429 ||
        (status === 403 &&
            (headers?.['retry-after'] !== undefined ||
                String(headers?.['x-ratelimit-remaining']) === '0' ||
                /secondary rate|rate limit|abuse detection/i.test(message)));
    return {
        failure: isLimit
            ? 'rate-limited'
            : isRefusedByRule(status, graphqlType, message)
                ? 'protected'
                : toFailure(status, graphqlType),
        status,
        headers,
        requestId: headers?.['x-github-request-id'] === undefined ? undefined : String(headers['x-github-request-id']),
        message,
        isLimit,
        waitMs: headers && toWait(headers, isLimit),
        url: (0,_text_is_object_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .G)(request) && typeof request['url'] === 'string' ? request['url'] : undefined,
    };
}
const graphqlFailures = {
    STALE_DATA: 'conflict',
    FORBIDDEN: 'forbidden',
    NOT_FOUND: 'not-found',
    INSUFFICIENT_SCOPES: 'forbidden',
};
/**
 * A classic protection has a type of its own in GraphQL; a ruleset, and both in REST, are told by their words only.
 */
function isRefusedByRule(status, graphqlType, message) {
    if (graphqlType === 'BRANCH_PROTECTION_RULE_VIOLATION')
        return true;
    const mayBeRule = graphqlType === undefined ? status === 403 || status === 409 || status === 422 : graphqlType !== 'STALE_DATA';
    return mayBeRule && ruleWords.test(message);
}
const ruleWords = /\bGH0(06|13)\b|Repository rule violations? found|protected branch|Changes must be made through a pull request|approving review is required|required status checks? (is|are) expected|must have verified signatures|Cannot (create|update|delete) this protected ref/i;
function toFailure(status, graphqlType) {
    if (graphqlType !== undefined)
        return graphqlFailures[graphqlType] ?? 'invalid';
    if (status === undefined)
        return 'unreachable';
    if (status === 401)
        return 'unauthorized';
    if (status === 403)
        return 'forbidden';
    if (status === 404 || status === 410)
        return 'not-found';
    if (status === 409)
        return 'conflict';
    if (status >= 500)
        return 'unavailable';
    return 'invalid';
}
/** Seconds or a date in `retry-after`, else the reset of a primary limit that is used up. */
function toWait(headers, isLimit) {
    const after = headers['retry-after'];
    if (after !== undefined) {
        const seconds = Number(after);
        const date = Date.parse(String(after));
        if (Number.isFinite(seconds))
            return Math.max(0, seconds * 1000);
        if (Number.isFinite(date))
            return Math.max(0, date - Date.now());
    }
    const reset = Number(headers['x-ratelimit-reset']);
    if (isLimit && String(headers['x-ratelimit-remaining']) === '0' && Number.isFinite(reset)) {
        // One second more: the reset is given in whole seconds.
        return Math.max(0, reset * 1000 - Date.now()) + 1_000;
    }
    return undefined;
}
function toMessage(error, graphqlErrors) {
    const parts = Array.isArray(graphqlErrors)
        ? graphqlErrors.map((one) => ((0,_text_is_object_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .G)(one) ? String(one['message']) : String(one)))
        : [error instanceof Error ? error.message : String(error)];
    const text = parts.join('; ').replace(/ - https:\/\/docs\.github\.com\S*$/, '');
    return text.replaceAll(/\s+/g, ' ').trim().slice(0, 500);
}
function firstType(errors) {
    const first = Array.isArray(errors) ? errors[0] : undefined;
    return (0,_text_is_object_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .G)(first) && typeof first['type'] === 'string' ? first['type'] : '';
}
function toNumber(value) {
    return typeof value === 'number' ? value : undefined;
}


/***/ }),

/***/ 8130:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   b: () => (/* binding */ RequestBudget),
/* harmony export */   q: () => (/* binding */ waitingForTurn)
/* harmony export */ });
/* harmony import */ var node_timers_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8500);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8544);


/** The operation of an error that does not know yet which request it stopped; `toGitHubError` says it. */
const waitingForTurn = 'wait for a turn';
/**
 * The share of one installation: its writes go one after the other, spaced, and within GitHub's content limits.
 *
 * One budget serves every client of the installation in this process, whoever made it.
 */
class RequestBudget {
    installationId;
    #pace;
    #whose;
    /** When each write of the last hour was let go, oldest first; milliseconds of the monotonic clock. */
    #writes = [];
    #pausedUntil = 0;
    #turn = Promise.resolve();
    #requests;
    /** @param whose how messages name it. */
    constructor(installationId, pace, whose = `installation ${installationId}`) {
        this.installationId = installationId;
        this.#whose = whose;
        this.#pace = pace;
    }
    /**
     * Waits for the turn of one write.
     *
     * @throws {GitHubError} `rate-limited` when that would take longer than `longestWaitMs`; the turn is given up then.
     */
    takeWrite(signal) {
        const taken = this.#turn.then(async () => {
            const waitMs = this.#waitForWrite();
            if (waitMs > 0)
                await this.#wait(waitMs, signal);
            this.#writes.push(performance.now());
        });
        this.#turn = taken.catch(() => undefined);
        return taken;
    }
    /** Waits until a pause that GitHub asked for is over; at once where there is none. @throws as `takeWrite` */
    async takeRead(signal) {
        const waitMs = this.#pausedUntil - performance.now();
        if (waitMs > 0)
            await this.#wait(waitMs, signal);
    }
    /** Stops every request of the installation for a while: GitHub said that it asks too much. */
    pause(forMs) {
        this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + forMs);
    }
    /** Remembers what an answer said of the primary limit. */
    note(headers) {
        const remaining = Number(headers['x-ratelimit-remaining']);
        const limit = Number(headers['x-ratelimit-limit']);
        const reset = Number(headers['x-ratelimit-reset']);
        if (!Number.isFinite(remaining) || !Number.isFinite(limit) || !Number.isFinite(reset))
            return;
        this.#requests = { remaining, limit, resetAt: new Date(reset * 1000).toISOString() };
    }
    left() {
        const { writesPerMinute, writesPerHour, minuteMs } = this.#pace;
        this.#forgetOldWrites();
        const minuteAgo = performance.now() - minuteMs;
        return {
            installationId: this.installationId,
            writesThisMinute: Math.max(0, writesPerMinute - this.#writes.filter((at) => at > minuteAgo).length),
            writesThisHour: Math.max(0, writesPerHour - this.#writes.length),
            requests: this.#requests,
        };
    }
    #waitForWrite() {
        const { spacingMs, writesPerMinute, writesPerHour, minuteMs, hourMs } = this.#pace;
        this.#forgetOldWrites();
        const last = this.#writes.at(-1);
        // The oldest write that must be out of the window before one more fits in.
        const inMinute = this.#writes.at(-writesPerMinute);
        const inHour = this.#writes.at(-writesPerHour);
        const freeAt = Math.max(this.#pausedUntil, last === undefined ? 0 : last + spacingMs, inMinute === undefined ? 0 : inMinute + minuteMs, inHour === undefined ? 0 : inHour + hourMs);
        return freeAt - performance.now();
    }
    async #wait(waitMs, signal) {
        if (waitMs > this.#pace.longestWaitMs) {
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y_(`The requests of ${this.#whose} are used up for now`, {
                failure: 'rate-limited',
                operation: waitingForTurn,
                retryAfterMs: Math.ceil(waitMs),
            });
        }
        await (0,node_timers_promises__WEBPACK_IMPORTED_MODULE_0__.setTimeout)(waitMs, undefined, signal ? { signal } : {});
    }
    #forgetOldWrites() {
        const hourAgo = performance.now() - this.#pace.hourMs;
        while (this.#writes[0] !== undefined && this.#writes[0] <= hourAgo)
            this.#writes.shift();
    }
}


/***/ }),

/***/ 8164:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   readVerification: () => (/* binding */ readVerification)
/* harmony export */ });
/* harmony import */ var _call_github_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8367);

/** Asks whether a commit is verified. @throws {GitHubError} */
async function readVerification(client, repository, sha) {
    const about = { operation: 'read commit', on: (0,_call_github_js__WEBPACK_IMPORTED_MODULE_0__/* .nameRepository */ .KL)(repository, sha), permission: 'contents: read' };
    const { data } = await (0,_call_github_js__WEBPACK_IMPORTED_MODULE_0__/* .callGitHub */ .ur)(about, () => client.rest.repos.getCommit({ ...repository, ref: sha, per_page: 1 }));
    const { verification } = data.commit;
    return { isVerified: verification?.verified ?? false, reason: verification?.reason ?? 'unsigned' };
}


/***/ })

};
