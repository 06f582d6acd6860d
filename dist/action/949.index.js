export const id = 949;
export const ids = [949];
export const modules = {

/***/ 9949:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   syncComment: () => (/* binding */ syncComment)
/* harmony export */ });
/* unused harmony export viewerQuery */
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2027);
/* harmony import */ var _call_github_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(28);
/* harmony import */ var _report_render_comment_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7807);
/* harmony import */ var _request_pace_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7209);




/**
 * Keeps the single comment of a project on a pull request up to date: creates it when there is something to report, edits it only when
 * its content changes, and never adds a second one.
 *
 * If both the app and the Action are active, only one of them comments. The first comment stays. If both start at the same time,
 * the later comment is deleted.
 *
 * The comment is recognised by its author and by the marker with this key at its start. Copies of the marker by other authors
 * have no effect. All pages of comments are read first.
 *
 * @throws {GitHubError} also when the conversation is locked (`forbidden`).
 */
async function syncComment(client, repository, comment) {
    const { pullNumber, key, feedback } = comment;
    const about = {
        operation: 'write comment',
        on: `\`${repository.owner}/${repository.repo}#${pullNumber}\``,
        permission: 'pull_requests: write',
    };
    const find = () => (0,_call_github_js__WEBPACK_IMPORTED_MODULE_1__/* .callGitHub */ .ur)({ ...about, operation: 'read comments' }, () => findComments(client, repository, comment));
    const { own, foreign } = await find();
    if (foreign && !(own && own.id < foreign.id)) {
        if (own)
            await remove(client, repository, own.id, about);
        return { kind: 'left-to-other', commentId: undefined, otherAuthor: foreign.author };
    }
    const wanted = (0,_report_render_comment_js__WEBPACK_IMPORTED_MODULE_2__/* .renderComment */ .wQ)(key, feedback, own?.marker);
    if (!wanted)
        return { kind: 'none', commentId: own?.id };
    if (own?.marker.digest === wanted.digest)
        return { kind: 'unchanged', commentId: own.id };
    if (own && (await edit(client, repository, own.id, wanted, about)))
        return { kind: 'edited', commentId: own.id };
    // The comment was deleted between reading and editing. Only a report creates a new one.
    if (!wanted.isReport)
        return { kind: 'none', commentId: undefined };
    const create = async () => {
        const { data } = await client.rest.issues.createComment({ ...repository, issue_number: pullNumber, body: wanted.body });
        return data.id;
    };
    try {
        return { kind: 'created', commentId: await (0,_call_github_js__WEBPACK_IMPORTED_MODULE_1__/* .callGitHub */ .ur)(about, create) };
    }
    catch (error) {
        const made = (0,_call_github_js__WEBPACK_IMPORTED_MODULE_1__/* .isUncertain */ .cp)(error) ? (await find()).own : undefined;
        if (made)
            return { kind: 'created', commentId: made.id };
        throw error;
    }
}
async function findComments(client, repository, { pullNumber, key, author }) {
    const comments = await client.paginate(client.rest.issues.listComments, {
        ...repository,
        issue_number: pullNumber,
        per_page: 100,
    });
    const marked = comments.flatMap((comment) => {
        const marker = (0,_report_render_comment_js__WEBPACK_IMPORTED_MODULE_2__/* .parseCommentMarker */ .Zv)(comment.body ?? '');
        return marker?.key === key ? [{ comment, marker }] : [];
    });
    // Most pull requests have no such comment, so this usually saves a request.
    const viewer = author.kind === 'token' && marked.length > 0 ? await readViewer(client) : undefined;
    let own;
    let foreign;
    for (const { comment, marker } of marked) {
        const isBot = comment.user?.type === 'Bot';
        const isOwn = author.kind === 'app'
            ? isBot && comment.performed_via_github_app?.id === author.appId
            : comment.user !== null && viewer !== undefined && isSameAccount(comment.user, viewer);
        if (isOwn)
            own ??= { id: comment.id, marker };
        // A workflow may also comment with the token of a collaborator. Copies by other people are ignored.
        else if (isBot || trustedAuthors.has(comment.author_association)) {
            foreign ??= { id: comment.id, marker, author: comment.user?.login ?? 'another account' };
        }
    }
    return { own, foreign };
}
/** The login of a token: a person, or the bot of an app such as `github-actions[bot]`. REST cannot identify both. */
async function readViewer(client) {
    const { viewer } = await client.graphql(viewerQuery);
    return viewer.login;
}
/** Queries the owner of a token. */
const viewerQuery = 'query { viewer { login } }';
/** GraphQL names a bot with or without `[bot]`. A person with the same name is not a bot. */
function isSameAccount(user, viewer) {
    const bare = (login) => login.replace(/\[bot\]$/, '');
    return bare(user.login) === bare(viewer) && (user.type === 'Bot' || !viewer.endsWith('[bot]'));
}
const trustedAuthors = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
/** False if the comment was deleted after it was read. */
async function edit(client, repository, commentId, { body }, about) {
    try {
        await (0,_call_github_js__WEBPACK_IMPORTED_MODULE_1__/* .callGitHub */ .ur)(about, () => client.rest.issues.updateComment({ ...repository, comment_id: commentId, body, request: _request_pace_js__WEBPACK_IMPORTED_MODULE_3__/* .repeatable */ .EQ }));
        return true;
    }
    catch (error) {
        if (error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_ && error.failure === 'not-found')
            return false;
        throw error;
    }
}
async function remove(client, repository, commentId, about) {
    try {
        await (0,_call_github_js__WEBPACK_IMPORTED_MODULE_1__/* .callGitHub */ .ur)({ ...about, operation: 'delete comment' }, () => client.rest.issues.deleteComment({ ...repository, comment_id: commentId, request: _request_pace_js__WEBPACK_IMPORTED_MODULE_3__/* .repeatable */ .EQ }));
    }
    catch (error) {
        if (!(error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_) || error.failure !== 'not-found')
            throw error;
    }
}


/***/ })

};
