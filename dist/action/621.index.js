export const id = 621;
export const ids = [621];
export const modules = {

/***/ 3227:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ repeatable),
/* harmony export */   a: () => (/* binding */ paceRequests)
/* harmony export */ });
/* harmony import */ var node_timers_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8500);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8544);
/* harmony import */ var _read_answer_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9298);
/* harmony import */ var _request_budget_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8130);




/** Set in the `request` options of a write that can be sent twice without harm, such as one that sets a text. */
const repeatable = { repeatable: true };
/**
 * Makes a client keep to GitHub's rules: one write a second and a bounded number of them, waits as GitHub asks, few repeats.
 *
 * A request that hit a limit was not acted on, so it is repeated whatever it is. After a 5xx or a lost connection it may have been:
 * only reads, and writes marked `repeatable`, are repeated then.
 */
function paceRequests(client, options) {
    const { budget, pace, signal, renewToken } = options;
    client.hook.wrap('request', async (request, parameters) => {
        const method = String(parameters.method);
        const isRead = method === 'GET' || method === 'HEAD';
        // The token of an installation is no content, and every request may need one.
        const isToken = parameters.url.endsWith('/access_tokens');
        const canRepeat = isRead || isToken || parameters.request?.['repeatable'] === true;
        const stops = [signal, parameters.request?.signal].filter((one) => one instanceof AbortSignal);
        const stop = stops.length > 0 ? AbortSignal.any(stops) : undefined;
        let isRenewed = false;
        for (let attempt = 0;; attempt++) {
            if (isRead || isToken)
                await budget?.takeRead(stop);
            else
                await budget?.takeWrite(stop);
            // Ends with the head of the answer: a body, such as an archive, is timed by who reads it.
            const clock = new AbortController();
            const timer = setTimeout(() => clock.abort(new Error(`no answer within ${pace.timeoutMs} ms`)), pace.timeoutMs);
            // Octokit binds the parameters to the hooks within: only a change of the object itself reaches them.
            parameters.request = { ...parameters.request, signal: AbortSignal.any([clock.signal, ...stops]) };
            try {
                const response = await request(parameters);
                budget?.note(response.headers);
                refuseHalfAnswer(response, parameters.request['parseSuccessResponseBody'] === false);
                return response;
            }
            catch (error) {
                const answer = (0,_read_answer_js__WEBPACK_IMPORTED_MODULE_2__/* .readAnswer */ .J)(error);
                if (answer.headers)
                    budget?.note(answer.headers);
                // Minting the token failed, after repeats of its own.
                const isOfToken = error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y_ || answer.url?.endsWith('/access_tokens') === true;
                if (stop?.aborted || (isOfToken && !isToken))
                    throw error;
                if (answer.status === 401 && renewToken && !isToken && !isRenewed) {
                    isRenewed = true;
                    await renewToken();
                    continue;
                }
                const waitMs = waitBeforeRepeat(answer, attempt, pace, canRepeat);
                if (waitMs === undefined)
                    throw error;
                if (answer.isLimit)
                    budget?.pause(waitMs);
                if (attempt >= pace.retries || waitMs > pace.longestWaitMs)
                    throw answer.isLimit ? toLimitError(answer, waitMs, error) : error;
                // The budget holds every request of the installation until a limit is over.
                if (!answer.isLimit || !budget)
                    await (0,node_timers_promises__WEBPACK_IMPORTED_MODULE_0__.setTimeout)(waitMs, undefined, stop ? { signal: stop } : {});
            }
            finally {
                clearTimeout(timer);
            }
        }
    });
}
/** Octokit takes a body of JSON that breaks off for a text, and the request for a success. */
function refuseHalfAnswer(response, isStream) {
    const isJson = /^application\/(?:[\w.+-]+\+)?json\b/.test(response.headers['content-type'] ?? '');
    if (!isStream && isJson && typeof response.data === 'string')
        throw new Error('the answer broke off');
}
/** How long to wait, or `undefined` where a repeat is of no use or could do the same thing twice. */
function waitBeforeRepeat(answer, attempt, pace, canRepeat) {
    if (answer.isLimit)
        return answer.waitMs ?? pace.secondaryLimitDelayMs * 2 ** attempt;
    if (answer.failure !== 'unavailable' && answer.failure !== 'unreachable')
        return undefined;
    if (!canRepeat)
        return undefined;
    // Up to a quarter more, so that workers that failed together do not come back together.
    return answer.waitMs ?? pace.retryDelayMs * 2 ** attempt * (1 + Math.random() / 4);
}
/** Carries the wait that the limit asks for to `toGitHubError`. */
function toLimitError({ message, status, requestId }, waitMs, cause) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y_(message, {
        failure: 'rate-limited',
        operation: _request_budget_js__WEBPACK_IMPORTED_MODULE_3__/* .waitingForTurn */ .q,
        status,
        requestId,
        retryAfterMs: Math.ceil(waitMs),
        cause,
    });
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

/***/ 7621:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createTokenClient: () => (/* binding */ createTokenClient)
});

// EXTERNAL MODULE: ../../work/main/node_modules/@octokit/rest/dist-src/index.js + 22 modules
var dist_src = __webpack_require__(5187);
;// CONCATENATED MODULE: ./build/js/github/create-octokit.js

/** An Octokit that says nothing by itself: errors reach the caller as exceptions, which say more. */
function createOctokit(options, address) {
    const quiet = () => undefined;
    return new dist_src/* Octokit */.E({
        ...options,
        baseUrl: (address.apiUrl ?? 'https://api.github.com').replace(/\/$/, ''),
        userAgent: 'openapi-pages',
        log: { debug: quiet, info: quiet, warn: address.warn, error: quiet },
    });
}

// EXTERNAL MODULE: ./build/js/github/pace-requests.js
var pace_requests = __webpack_require__(3227);
// EXTERNAL MODULE: ./build/js/github/request-budget.js
var request_budget = __webpack_require__(8130);
;// CONCATENATED MODULE: ./build/js/github/request-pace.js
/** @see RequestPace */
const defaultPace = {
    spacingMs: 1_000,
    writesPerMinute: 80,
    writesPerHour: 500,
    minuteMs: 60_000,
    hourMs: 3_600_000,
    retries: 3,
    retryDelayMs: 1_000,
    secondaryLimitDelayMs: 60_000,
    longestWaitMs: 120_000,
    timeoutMs: 30_000,
};

;// CONCATENATED MODULE: ./build/js/github/token-client.js




/** A client that asks with a token somebody gave, such as that of a job in Actions; paced as the app's clients are. */
function createTokenClient(options) {
    const client = createOctokit({ auth: options.token }, { apiUrl: options.apiUrl, warn: () => undefined });
    const pace = { ...defaultPace, ...options.pace };
    const budget = new request_budget/* RequestBudget */.b(0, pace, 'this token');
    (0,pace_requests/* paceRequests */.a)(client, { budget, pace, signal: undefined, renewToken: undefined });
    return client;
}


/***/ })

};
