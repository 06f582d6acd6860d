export const id = 126;
export const ids = [126];
export const modules = {

/***/ 4126:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createOctokit: () => (/* binding */ createOctokit),
  createTokenClient: () => (/* binding */ createTokenClient)
});

// EXTERNAL MODULE: ./node_modules/@octokit/core/dist-src/index.js + 13 modules
var dist_src = __webpack_require__(5194);
;// CONCATENATED MODULE: ./node_modules/@octokit/plugin-request-log/dist-src/version.js
const VERSION = "6.0.0";


;// CONCATENATED MODULE: ./node_modules/@octokit/plugin-request-log/dist-src/index.js

function requestLog(octokit) {
  octokit.hook.wrap("request", (request, options) => {
    octokit.log.debug("request", options);
    const start = Date.now();
    const requestOptions = octokit.request.endpoint.parse(options);
    const path = requestOptions.url.replace(options.baseUrl, "");
    return request(options).then((response) => {
      const requestId = response.headers["x-github-request-id"];
      octokit.log.info(
        `${requestOptions.method} ${path} - ${response.status} with id ${requestId} in ${Date.now() - start}ms`
      );
      return response;
    }).catch((error) => {
      const requestId = error.response?.headers["x-github-request-id"] || "UNKNOWN";
      octokit.log.error(
        `${requestOptions.method} ${path} - ${error.status} with id ${requestId} in ${Date.now() - start}ms`
      );
      throw error;
    });
  });
}
requestLog.VERSION = VERSION;


// EXTERNAL MODULE: ./node_modules/@octokit/plugin-paginate-rest/dist-bundle/index.js
var dist_bundle = __webpack_require__(3779);
// EXTERNAL MODULE: ./node_modules/@octokit/plugin-rest-endpoint-methods/dist-src/index.js + 3 modules
var plugin_rest_endpoint_methods_dist_src = __webpack_require__(9210);
;// CONCATENATED MODULE: ./node_modules/@octokit/rest/dist-src/version.js
const version_VERSION = "22.0.1";


;// CONCATENATED MODULE: ./node_modules/@octokit/rest/dist-src/index.js





const Octokit = dist_src/* Octokit */.E.plugin(requestLog, plugin_rest_endpoint_methods_dist_src/* legacyRestEndpointMethods */.T, dist_bundle/* paginateRest */.ud).defaults(
  {
    userAgent: `octokit-rest.js/${version_VERSION}`
  }
);


// EXTERNAL MODULE: ./build/js/github/request-pace.js
var request_pace = __webpack_require__(7209);
;// CONCATENATED MODULE: ./build/js/github/github-client.js


/** Creates an Octokit that logs only warnings. Errors reach the caller as exceptions. */
function createOctokit(options, address) {
    const quiet = () => undefined;
    return new Octokit({
        ...options,
        baseUrl: (address.apiUrl ?? 'https://api.github.com').replace(/\/$/, ''),
        userAgent: 'openapi-pages',
        log: { debug: quiet, info: quiet, warn: address.warn, error: quiet },
    });
}
/** A client with a given token, such as the job token in Actions. Its requests are paced like those of the app. */
function createTokenClient(options) {
    const client = createOctokit({ auth: options.token }, { apiUrl: options.apiUrl, warn: () => undefined });
    const pace = { ...request_pace/* defaultPace */.ZS, ...options.pace };
    const budget = new request_pace/* RequestBudget */.bK(0, pace, 'this token');
    (0,request_pace/* paceRequests */.a2)(client, { budget, pace, signal: undefined, renewToken: undefined });
    return client;
}


/***/ })

};
