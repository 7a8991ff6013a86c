/** The page of rules: the server has written all of it; a search leaves those that have its words. */

import "./elements/rule-search.js";
import "./elements/theme-switch.js";
