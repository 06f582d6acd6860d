export const id = 281;
export const ids = [281];
export const modules = {

/***/ 8281:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   locateInYaml: () => (/* binding */ locateInYaml)
/* harmony export */ });
/* harmony import */ var js_yaml__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3555);
/* harmony import */ var _limits_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9195);
/* harmony import */ var _pointer_tree_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9383);
/* harmony import */ var _walk_yaml_events_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4296);




/** Notes the places of the steps of a tree in a YAML text; none where the text is not YAML. */
function locateInYaml(text, tree) {
    let events;
    try {
        events = (0,js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .parseEvents */ .PH)(text, { maxDepth: _limits_js__WEBPACK_IMPORTED_MODULE_1__/* .limitBounds */ .rn.nesting.most });
    }
    catch {
        return;
    }
    const path = [];
    (0,_walk_yaml_events_js__WEBPACK_IMPORTED_MODULE_2__/* .walkYamlEvents */ .I)(text, events, {
        enter(key, value) {
            const around = path.at(-1);
            const node = key === undefined ? tree : around && (0,_pointer_tree_js__WEBPACK_IMPORTED_MODULE_3__/* .findChild */ .cf)(around, String(key.name));
            path.push(node);
            if (!node)
                return false;
            (0,_pointer_tree_js__WEBPACK_IMPORTED_MODULE_3__/* .notePlace */ .Qd)(node, key === undefined || typeof key.name === 'number' ? { value } : { key: key.offsets, value });
            return node.children !== undefined;
        },
        leave() {
            path.pop();
        },
    });
}


/***/ })

};
