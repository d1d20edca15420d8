/** Made from the OpenAPI document of the service by `npm run client:types`. Do not edit. */

export interface paths {
    "/api/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The versions of the interface
         * @description The newest first. This document describes 2.8.
         */
        get: operations["getApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All projects (administrator of the installation)
         * @description With the token of a session in any project. An extension of the interface.
         */
        get: operations["getApi28"];
        put?: never;
        /**
         * Make a project (administrator of the installation)
         * @description With the token of a session in any project.
         */
        post: operations["postApi28"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a map
         * @description Needs the right to edit the project. The map is published.
         */
        post: operations["postProject"];
        /**
         * Delete a project with all its maps, users and data (administrator of the installation)
         * @description With the token of a session in any project. An extension of the interface.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Change the name or the languages of a project (administrator of the installation)
         * @description What is absent keeps its value. With the token of a session in any project. An extension of the interface.
         */
        patch: operations["patchProject"];
        trace?: never;
    };
    "/api/2.8/{project}/login/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description After too many failures of one login from one address: 429 with `Retry-After`.
         */
        post: operations["postLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/logout/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session; a token that is not good is no error.
         */
        post: operations["postLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/authorized/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a token is good
         * @description false too for a session of the administration console.
         */
        get: operations["getAuthorized"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/ext-login/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a token of an identity provider
         * @description The token is a JSON Web Token of the configured identity provider that names the login of a user of the project. Answers 403 where no identity provider is configured; after too many failures from one address 429 with `Retry-After`; 503 while the keys of the provider cannot be had.
         */
        post: operations["postExtLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/ext-auth/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A token for another user
         * @description For callers with the right to edit the project. 403 for a user with a higher right on the project than the caller, and for a login that the project does not have. The own login is answered with a new token.
         */
        post: operations["postExtAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/login/password/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the own password
         * @description Needs the present one. Ends the caller's other sessions. After too many failures: 429 with `Retry-After`. An extension of the interface.
         */
        put: operations["putLoginPassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/login/keys/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a key for a program
         * @description The key is a token with the rights of its user in this project. It is answered once, ends after days without use and with a new password, and is among the sessions, where it can be ended. Needs the present password. After too many failures: 429 with `Retry-After`. An extension of the interface.
         */
        post: operations["postLoginKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/login/sessions/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The own sessions
         * @description In all projects, the last used first. An extension of the interface.
         */
        get: operations["getLoginSessions"];
        put?: never;
        post?: never;
        /**
         * End all own sessions but this
         * @description An extension of the interface.
         */
        delete: operations["deleteLoginSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/login/sessions/{session}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of the own sessions
         * @description Also the one in which the request comes. An extension of the interface.
         */
        delete: operations["deleteLoginSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/users/list/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Logins that can sign in to the project (administrator) */
        get: operations["getUsersList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/users/info/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller, or for administrators any user */
        get: operations["getUsersInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/users/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a user (administrator) */
        post: operations["postUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/users/{login}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a user (administrator)
         * @description What the user has made stays.
         */
        delete: operations["deleteUsersLogin"];
        options?: never;
        head?: never;
        /**
         * Change a user (administrator)
         * @description A new password ends the sessions of the user.
         */
        patch: operations["patchUsersLogin"];
        trace?: never;
    };
    "/api/2.8/{project}/users/{login}/sessions/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The sessions of a user (administrator)
         * @description Each has a token, which nobody can read. The last used first. An extension of the interface.
         */
        get: operations["getUsersLoginSessions"];
        put?: never;
        post?: never;
        /**
         * End all sessions of a user (administrator)
         * @description Their tokens are good no longer; that of the request stays. An extension of the interface.
         */
        delete: operations["deleteUsersLoginSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/users/{login}/sessions/{session}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one session of a user (administrator)
         * @description An extension of the interface.
         */
        delete: operations["deleteUsersLoginSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/rights/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The grants on the project (administrator) */
        get: operations["getRights"];
        /**
         * Set grants on the project (administrator)
         * @description Other grants stay. All or nothing; of several for one user or group the last counts.
         */
        put: operations["putRights"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/rights/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The grants on a map (administrator) */
        get: operations["getMapRights"];
        /**
         * Set grants on a map (administrator)
         * @description Other grants stay. All or nothing; of several for one user or group the last counts.
         */
        put: operations["putMapRights"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/rights/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The grants on a layer (administrator) */
        get: operations["getMapLayerRights"];
        /**
         * Set grants on a layer (administrator)
         * @description Other grants stay. All or nothing; of several for one user or group the last counts.
         */
        put: operations["putMapLayerRights"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/rights/explain/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The effective right of a user and the grant that decides it
         * @description Everybody for itself, administrators of the project for all. The right is on the project, or on the map or layer that is named.
         */
        get: operations["getRightsExplain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/rights/overview/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All users, groups and grants of the project (administrator) */
        get: operations["getRightsOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/deletion/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a deletion would take, counted before it is done
         * @description Of the project, or of what the parameters name. Needs the right to delete it. An answer has the numbers that its kind has. An extension of the interface.
         */
        get: operations["getDeletion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/administration/storage/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the project and its maps take (administrator)
         * @description Counts and bytes. The caches of tiles belong to the whole service and are not counted. An extension of the interface.
         */
        get: operations["getAdministrationStorage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/administration/journal/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who changed what in the project (administrator)
         * @description The newest first. An entry appears within a second or two after the change. For administrators of the installation with what was done to projects. `CARTULARY_JOURNAL_ENTRIES` says how many entries are kept. An extension of the interface.
         */
        get: operations["getAdministrationJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/administration/settings/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The settings in force (administrator of the installation)
         * @description Set when the service starts. Secrets are never shown. An extension of the interface.
         */
        get: operations["getAdministrationSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A map */
        get: operations["getMap"];
        put?: never;
        post?: never;
        /**
         * Delete a map with all it holds
         * @description Needs the right to administer the map.
         */
        delete: operations["deleteMap"];
        options?: never;
        head?: never;
        /**
         * Change a map
         * @description Publication (`publish`, `has_publication`) needs the right to administer the map, all else to edit it. What is absent keeps its value.
         */
        patch: operations["patchMap"];
        trace?: never;
    };
    "/api/2.8/{project}/maps/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The maps that the caller may view, with what a list of them shows
         * @description With the maps whose publication is closed, where the caller has a grant of their own.
         */
        get: operations["getMaps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/maps/available/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The published maps that the caller may view */
        get: operations["getMapsAvailable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/maps/public/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The maps that the public may view, with all their fields (administrator) */
        get: operations["getMapsPublic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/folders/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a folder */
        post: operations["postMapFolders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/folders/{folder}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A folder */
        get: operations["getMapFolder"];
        /**
         * Change code, name, sort or json of a folder
         * @description What is absent keeps its value, but for `parent_id`, which must be present.
         */
        put: operations["putMapFolder"];
        post?: never;
        /**
         * Delete a folder with all it holds
         * @description Needs the right to edit the map and every layer in the folder.
         */
        delete: operations["deleteMapFolder"];
        options?: never;
        head?: never;
        /**
         * Change code, name, sort or json of a folder
         * @description What is absent keeps its value, but for `parent_id`, which must be present.
         */
        patch: operations["patchMapFolder"];
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The layer tree of a map
         * @description In the order of a table of contents. Layers that the caller may not view are left out.
         */
        get: operations["getMapLayers"];
        put?: never;
        /** Make a layer */
        post: operations["postMapLayers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/publish/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save the publication tree
         * @description An item that is wrong is named; the tree stays as it was then.
         */
        post: operations["postMapPublish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/move/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a folder or layer within the tree of its map
         * @description Needs the right to edit the map, and a layer that is moved. Answers the full tree. A saved publication tree stays as it is. An extension of the interface.
         */
        post: operations["postMapMove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/versions/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The versions of a map and of one of its layers
         * @description The ETags of what editors change: who compares them with those of an earlier answer learns what others have changed. An extension of the interface.
         */
        get: operations["getMapVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A layer */
        get: operations["getMapLayer"];
        /**
         * Change a layer
         * @description Absent fields keep their values. A new code also replaces the old one in the style of the layer.
         */
        put: operations["putMapLayer"];
        post?: never;
        /** Delete a layer with its objects */
        delete: operations["deleteMapLayer"];
        options?: never;
        head?: never;
        /**
         * Change a layer
         * @description Absent fields keep their values. A new code also replaces the old one in the style of the layer.
         */
        patch: operations["patchMapLayer"];
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/bbox/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The extent of a layer */
        get: operations["getMapLayerBbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/refresh/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run the query of a materialized layer again
         * @description Only its owner, who made it, may do so. Readers see the old objects until the new ones are complete; `json.refreshed` tells when they were made, and how many there are.
         */
        post: operations["postMapLayerRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/query/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The first rows of a query, before it is stored as a layer
         * @description Nothing is changed. Needs the right to edit the map, or the named layer; the query reads what the caller may view. It is stopped when the client leaves. An extension of the interface.
         */
        post: operations["postMapQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/draft/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The own draft of a map
         * @description An extension of the interface.
         */
        get: operations["getMapDraft"];
        /**
         * Save the own draft of a map
         * @description Checked as the change itself. With `draft=1` tiles, legends and icons show it to the caller, and to nobody else. An extension of the interface.
         */
        put: operations["putMapDraft"];
        post?: never;
        /**
         * Discard the own draft of a map
         * @description An extension of the interface.
         */
        delete: operations["deleteMapDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/draft/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The own draft of a layer
         * @description An extension of the interface.
         */
        get: operations["getMapLayerDraft"];
        /**
         * Save the own draft of a layer
         * @description Checked as the change itself. With `draft=1` tiles, legends and icons show it to the caller, and to nobody else. An extension of the interface.
         */
        put: operations["putMapLayerDraft"];
        post?: never;
        /**
         * Discard the own draft of a layer
         * @description An extension of the interface.
         */
        delete: operations["deleteMapLayerDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/draft/publish/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the own draft of a map its style
         * @description If-Match names the saved version that it replaces; absent: the one that the draft was made from. An extension of the interface.
         */
        post: operations["postMapDraftPublish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/draft/publish/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the own draft of a layer its style
         * @description If-Match names the saved version that it replaces; absent: the one that the draft was made from. An extension of the interface.
         */
        post: operations["postMapLayerDraftPublish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/legend/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The legend of a visualization
         * @description Its classes as they are drawn, each with the number of its objects.
         */
        get: operations["getMapLayerLegend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/legend/refresh/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the classes of a visualization anew from the data as it is now
         * @description Limits and values that were given stay. Answers the legend.
         */
        post: operations["postMapLayerLegendRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/structure/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The columns of a layer
         * @description In their order, each title before the columns that it groups.
         */
        get: operations["getMapLayerStructure"];
        put?: never;
        /** Add a column */
        post: operations["postMapLayerStructure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/structure/{field}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a column
         * @description `type` is required: the present one keeps it. Values that cannot be converted to a new type are lost; `lost` counts them. All else keeps its value when it is absent.
         */
        put: operations["putMapLayerStructureField"];
        post?: never;
        /**
         * Delete a column with its values
         * @description The columns of a title come up to its level. A column that the style reads stays.
         */
        delete: operations["deleteMapLayerStructureField"];
        options?: never;
        head?: never;
        /**
         * Change a column
         * @description `type` is required: the present one keeps it. Values that cannot be converted to a new type are lost; `lost` counts them. All else keeps its value when it is absent.
         */
        patch: operations["patchMapLayerStructureField"];
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/structure/{field}/conversion/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a change of type would lose, counted before it is done
         * @description Nothing is changed. Needs the right to edit the layer. An extension of the interface.
         */
        get: operations["getMapLayerStructureFieldConversion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/constraints/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The constraints of a layer (administrator of the project) */
        get: operations["getMapLayerConstraints"];
        put?: never;
        /**
         * Make a constraint (administrator of the project)
         * @description From then on every write and import keeps it. Refused while objects violate it, unless `validate` is false. Empty values fit everything; of localized values each language counts.
         */
        post: operations["postMapLayerConstraints"];
        /** Remove a constraint (administrator of the project) */
        delete: operations["deleteMapLayerConstraints"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/constraints/violations/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a constraint would refuse, counted before it is made
         * @description Nothing is changed. Needs the right to edit the layer. An extension of the interface.
         */
        post: operations["postMapLayerConstraintsViolations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/dictionaries/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The strict dictionary links of a map */
        get: operations["getMapDictionaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/dictionaries/{layer}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The strict dictionary links of a layer */
        get: operations["getMapDictionariesLayer"];
        put?: never;
        /**
         * Let a column have only values of a dictionary
         * @description A constraint of the layer from then on. Needs the right to edit the layer and to view the dictionary. Values that are in use can no longer be taken out of the dictionary.
         */
        post: operations["postMapDictionariesLayer"];
        /** Remove a strict dictionary link */
        delete: operations["deleteMapDictionariesLayer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/dictionaries_f/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The non-strict dictionary links of a map */
        get: operations["getMapDictionariesF"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/dictionaries_f/{layer}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The non-strict dictionary links of a layer */
        get: operations["getMapDictionariesFLayer"];
        put?: never;
        /** Suggest values of a dictionary for a column */
        post: operations["postMapDictionariesFLayer"];
        /** Stop suggesting values for a column */
        delete: operations["deleteMapDictionariesFLayer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/count/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of objects */
        get: operations["getMapLayerCount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/objects/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Objects */
        get: operations["getMapLayerObjects"];
        put?: never;
        /** Make an object */
        post: operations["postMapLayerObjects"];
        /**
         * Delete objects
         * @description A list is deleted all or nothing: 404 when one is missing. A range deletes what there is in it: 404 when there is nothing.
         */
        delete: operations["deleteMapLayerObjects"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/filter/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Objects, the parameters in the body
         * @description Parameters may also stand in the query, where they win over those of the body.
         */
        post: operations["postMapLayerFilter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/objects/{object}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One object
         * @description An object that does not exist is answered with its id and empty fields; with f=pdf, a feature sheet to read and print, with 404.
         */
        get: operations["getMapLayerObject"];
        /** Change an object */
        put: operations["putMapLayerObject"];
        post?: never;
        /** Delete an object */
        delete: operations["deleteMapLayerObject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/statistics/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Statistics of a column
         * @description An extension of the interface. Of a column whose values do not compare, objects are counted.
         */
        post: operations["postMapLayerStatistics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/statistics/groups/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Statistics of groups of objects
         * @description An extension of the interface
         */
        post: operations["postMapLayerStatisticsGroups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/objects/batch/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete, change and make objects at once
         * @description All or nothing: where one cannot be stored none is, and `data` of the error names the list (`kind`) and the place in it (`index`, from 0). An extension of the interface.
         */
        post: operations["postMapLayerObjectsBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/objects/{object}/copy/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy an object into a layer
         * @description Under the same id, in place of the object that has it there. Columns are matched by code and converted; one that the target lacks is left out, one that the source lacks is empty. A value that the column of the target cannot hold is `value_invalid`, and nothing is copied. Its files are copied too.
         */
        post: operations["postMapLayerObjectCopy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/objects/{object}/geom/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Geometry of an object */
        get: operations["getMapLayerObjectGeom"];
        /** Change the geometry of an object */
        put: operations["putMapLayerObjectGeom"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/objects/{object}/files/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The files of an object
         * @description In the order of the columns and of their lists, each with the code of its column.
         */
        get: operations["getMapLayerObjectFiles"];
        put?: never;
        /**
         * Add a file to an object
         * @description A multipart form with the variable `file`; `field` and `lng` are further variables of it or parameters of the query. The file comes at the end of the list in its column.
         */
        post: operations["postMapLayerObjectFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/objects/{object}/files/{file}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a file of an object */
        delete: operations["deleteMapLayerObjectFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/files/{uuid}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The content of a file
         * @description Whole or, with `Range`, a part of it. What a browser could execute (HTML, SVG, XML) is sent to be saved.
         */
        get: operations["getFilesUuid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/search/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the layers and objects of a map
         * @description Finds whole words and parts of them; capitals and diacritics do not count. What is searched is set by `json.search` of the map when its publication tree is saved.
         */
        get: operations["getMapSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/export/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export a layer to a file */
        get: operations["getMapLayerExport"];
        put?: never;
        /**
         * The same, with parameters in the body
         * @description For filters and ids that are too long for an address. An extension of the interface.
         */
        post: operations["postMapLayerExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/files/uploads/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The uploads of the caller
         * @description Those that are not deleted or expired, the first to expire first. An extension of the interface.
         */
        get: operations["getFilesUploads"];
        put?: never;
        /**
         * Begin an upload that can be resumed
         * @description tus 1.0 (tus.io) with its extensions creation, termination, expiration and checksum. Answers 201 with the address of the upload in `Location`. An import and a file of an object take it as `upload`. An extension of the interface.
         */
        post: operations["postFilesUploads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/files/uploads/{upload}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far an upload is
         * @description Also in the headers `Upload-Offset` and `Upload-Length`, which HEAD answers alone.
         */
        get: operations["getFilesUpload"];
        put?: never;
        post?: never;
        /** Give up an upload */
        delete: operations["deleteFilesUpload"];
        options?: never;
        head?: never;
        /**
         * Send the next part of an upload
         * @description Answers 204. 409 where the upload has come further or less far than `Upload-Offset`; 460 where the part does not have its checksum, and nothing of it is stored. What has come before a connection breaks stays.
         */
        patch: operations["patchFilesUpload"];
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/makevalid/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make the geometries of a layer valid */
        post: operations["postMapLayerMakevalid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/import/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the import of an upload into a new layer of the map would do
         * @description Needs `upload`, `dry_run=1` and the right to edit the map. Nothing is stored: make the layer and import the upload into it. An extension of the interface.
         */
        post: operations["postMapImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/import/undo/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last import into a layer, and whether it can be undone
         * @description What an import of objects changes is kept for a time (CARTULARY_IMPORT_UNDO_TIME). The ETag is for If-Match of the undoing. An extension of the interface.
         */
        get: operations["getMapLayerImportUndo"];
        put?: never;
        /**
         * Undo the last import into a layer
         * @description Objects, their files and columns are as they were before it. 412 where the layer was changed after the import. An extension of the interface.
         */
        post: operations["postMapLayerImportUndo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/import/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a file into a layer
         * @description All or nothing. The file is the body, or the variable `file` of a multipart form, where the parameters may be further variables; `async`, `upload` and `keep` come before the file. A header `X-Filename` names the file of a body; its format is recognized by its content: geojson, shp, mif, tab, kml, kmz, xls, csv, geotif, dbf, dxf, sxf, png, jpg, geojsonl, gpkg, fgb, parquet, gpx, several files in one zip. Columns are made of the properties that have none. A layer of the type raster takes one image (geotif, png, jpg), which replaces the one it has.
         */
        post: operations["postMapLayerImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/jobs/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The jobs of the caller, or for administrators all of the project
         * @description The newest first.
         */
        get: operations["getJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/jobs/{job}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A job: how far it is, what it came to
         * @description Visible to its owner and to administrators of the project. A job that was started without a token is visible to everybody who knows its id.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Cancel or remove a job
         * @description One that has not ended is cancelled: nothing is stored. One that has ended is removed with its file.
         */
        delete: operations["deleteJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/jobs/{job}/events/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A job as server-sent events
         * @description The job as JSON in an event at each change; the stream ends with its end.
         */
        get: operations["getJobEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/jobs/{job}/file/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The file of an export
         * @description Whole or, with `Range`, a part of it, for those who may still view the layer.
         */
        get: operations["getJobFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/icon/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An icon of a layer, drawn with its own style */
        get: operations["getMapLayerIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/layers/{layer}/legend/{class}/icon/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The picture of an entry of a legend, as its objects are drawn on the map
         * @description In the scale of the map at a width of `swatchSize` of the legend, the same for all of its entries. Labels are left out.
         */
        get: operations["getMapLayerLegendClassIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/icons/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The icons that styles of the project can name
         * @description Those that were uploaded and those of the start set, by name.
         */
        get: operations["getIcons"];
        put?: never;
        /**
         * Upload an icon
         * @description An SVG or a PNG: the variable `file` of a multipart form, or the body with a header `X-Filename`. It is written anew with nothing but shapes or pixels; what could run, load or refer to something is refused.
         */
        post: operations["postIcons"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/icons/{icon}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The picture of an icon
         * @description For everybody who may view the project or anything in it, since maps are shown with it.
         */
        get: operations["getIcon"];
        /**
         * Upload an icon in the place of another
         * @description An SVG or a PNG: the variable `file` of a multipart form, or the body with a header `X-Filename`. It is written anew with nothing but shapes or pixels; what could run, load or refer to something is refused. Tiles that are drawn with it show the new picture at once.
         */
        put: operations["putIcon"];
        post?: never;
        /**
         * Delete an icon
         * @description Refused while styles or settings name it, unless one of the start set has the same name and takes its place.
         */
        delete: operations["deleteIcon"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/image/{uuid}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A picture, resized
         * @description JPEG, PNG, WebP, GIF, AVIF and TIFF; of an animated picture the first frame. Turned as its EXIF says, in sRGB, without its metadata.
         */
        get: operations["getImageUuid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.8/{project}/{map}/identify/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The objects that are drawn at a point of a map
         * @description Only what the style draws at this zoom level: its filters and zoom levels, and those of layer and map, count; markers, icons and lines have the size with which they are drawn, and those that make way for others are not there. The topmost first; areas beside the point come last. Labels of objects that have a symbol do not count, heat maps and hexagons have no objects. Only the 25 nearest objects of each layer are examined.
         */
        get: operations["getMapIdentify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tms/{project}/{map}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A raster tile of a map
         * @description Never older than the last acknowledged write. Answers 304 where the client has the picture.
         */
        get: operations["getTmsProjectMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mvt/{project}/{map}/{z}/{x}/{y}.pbf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A vector tile of a map
         * @description A layer of the tile for each layer of objects, named by its code; each feature has `svc_id` and the values of `fields`. Rows count from the north (XYZ). Never older than the last acknowledged write.
         */
        get: operations["getMvtProjectMapZXYPbf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mvt/{project}/{map}/tilejson.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The content of the vector tiles of a map, as TileJSON 3.0
         * @description For MapLibre and others: `{"type": "vector", "url": "…/tilejson.json"}`.
         */
        get: operations["getMvtProjectMapTilejsonJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wmts/{project}/{map}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** WMTS 1.0 of a map by parameters: GetCapabilities, GetTile */
        get: operations["getWmtsProjectMap"];
        put?: never;
        /** WMTS 1.0 of a map by parameters: GetCapabilities, GetTile; parameters in a form */
        post: operations["postWmtsProjectMap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wmts/{project}/{map}/1.0.0/WMTSCapabilities.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The capabilities of the WMTS of a map */
        get: operations["getWmtsProjectMap100WMTSCapabilitiesXml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wmts/{project}/{map}/{layer}/{style}/{matrixSet}/{z}/{y}/{x}.{format}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A tile of the WMTS of a map */
        get: operations["getWmtsProjectMapLayerStyleMatrixSetZYXFormat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wms/{project}/{map}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** WMS of a map: GetCapabilities, GetMap, GetFeatureInfo, GetLegendGraphic */
        get: operations["getWmsProjectMap"];
        put?: never;
        /** WMS of a map: GetCapabilities, GetMap, GetFeatureInfo, GetLegendGraphic; parameters in a form */
        post: operations["postWmsProjectMap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{project}/{map}/{z}/{x}/{y}.{format}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A raster tile of a map, by a plain address
         * @description The picture of `/tms/`, with rows from the north, for programs that take an address with {z}, {x} and {y}. A JPEG has a white background where the map has none.
         */
        get: operations["getTilesProjectMapZXYFormat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{project}/{map}/{z}/{x}/{y}.mvt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A vector tile of a map, by a plain address
         * @description The vector tile of `/mvt/`.
         */
        get: operations["getTilesProjectMapZXYMvt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{project}/{map}/{z}/{x}/{y}.pbf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A vector tile of a map, by a plain address with the other end
         * @description The vector tile of `/mvt/`.
         */
        get: operations["getTilesProjectMapZXYPbf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{project}/{map}/tilejson.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tiles of a map, as TileJSON 3.0
         * @description The address of the raster tiles, or with `format=mvt` of the vector tiles, with zoom levels, bounds, a centre and the attribution. Other parameters go into the address of the tiles.
         */
        get: operations["getTilesProjectMapTilejsonJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{project}/{map}/style.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The style of a map for MapLibre
         * @description Layers over vector tiles where the CartoCSS or the visualization can be said in MapLibre, and raster tiles of the others; `metadata` tells which, and why.
         */
        get: operations["getTilesProjectMapStyleJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{project}/{map}/sprite.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The places of the icons of a map in its sprite sheet */
        get: operations["getTilesProjectMapSpriteJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{project}/{map}/sprite.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The icons of a map as a sprite sheet */
        get: operations["getTilesProjectMapSpritePng"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{project}/{map}/sprite@2x.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The places of the icons of a map in its sprite sheet, at twice the pixels */
        get: operations["getTilesProjectMapSprite2xJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{project}/{map}/sprite@2x.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The icons of a map as a sprite sheet, at twice the pixels */
        get: operations["getTilesProjectMapSprite2xPng"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{project}/{map}/glyphs/{fonts}/{range}.pbf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Glyphs of a range of characters for the labels of a map
         * @description For `glyphs` of a MapLibre style. The fonts are those of the tiles; characters that a font lacks come from the others.
         */
        get: operations["getTilesProjectMapGlyphsFontsRangePbf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Maps with an OGC API */
        get: operations["getOgcProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** OGC API of a map */
        get: operations["getOgcProjectMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/conformance/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Classes of the standards */
        get: operations["getOgcProjectMapConformance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/api/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** OpenAPI document of the OGC API */
        get: operations["getOgcProjectMapApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Collections of a map */
        get: operations["getOgcProjectMapCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A collection */
        get: operations["getOgcProjectMapCollectionsLayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/queryables/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Properties for filters */
        get: operations["getOgcProjectMapCollectionsLayerQueryables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/sortables/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Properties to sort by */
        get: operations["getOgcProjectMapCollectionsLayerSortables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/schema/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Properties and their types */
        get: operations["getOgcProjectMapCollectionsLayerSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/feature-schema/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A feature as GeoJSON */
        get: operations["getOgcProjectMapCollectionsLayerFeatureSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/items/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Features of a collection
         * @description Parameters with the code of a column filter by its value. As a file it has all features that meet the conditions, without pages.
         */
        get: operations["getOgcProjectMapCollectionsLayerItems"];
        put?: never;
        /** Create a feature */
        post: operations["postOgcProjectMapCollectionsLayerItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/items/{object}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A feature */
        get: operations["getOgcProjectMapCollectionsLayerItemsObject"];
        /** Replace a feature */
        put: operations["putOgcProjectMapCollectionsLayerItemsObject"];
        post?: never;
        /** Delete a feature */
        delete: operations["deleteOgcProjectMapCollectionsLayerItemsObject"];
        options?: never;
        head?: never;
        /** Change a feature */
        patch: operations["patchOgcProjectMapCollectionsLayerItemsObject"];
        trace?: never;
    };
    "/ogc/{project}/{map}/tileMatrixSets/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tile matrix sets */
        get: operations["getOgcProjectMapTileMatrixSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/tileMatrixSets/{set}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A tile matrix set */
        get: operations["getOgcProjectMapTileMatrixSetsSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/tiles/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Vector tiles: the sets */
        get: operations["getOgcProjectMapTiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/tiles/{set}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Vector tiles: metadata */
        get: operations["getOgcProjectMapTilesSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/tiles/{set}/{z}/{y}/{x}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A vector tile */
        get: operations["getOgcProjectMapTilesSetZYX"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/map/tiles/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Map tiles: the sets */
        get: operations["getOgcProjectMapMapTiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/map/tiles/{set}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Map tiles: metadata */
        get: operations["getOgcProjectMapMapTilesSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/map/tiles/{set}/{z}/{y}/{x}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A tile of a map */
        get: operations["getOgcProjectMapMapTilesSetZYX"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/tiles/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Vector tiles: the sets */
        get: operations["getOgcProjectMapCollectionsLayerTiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/tiles/{set}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Vector tiles: metadata */
        get: operations["getOgcProjectMapCollectionsLayerTilesSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/tiles/{set}/{z}/{y}/{x}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A vector tile */
        get: operations["getOgcProjectMapCollectionsLayerTilesSetZYX"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/map/tiles/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Map tiles: the sets */
        get: operations["getOgcProjectMapCollectionsLayerMapTiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/map/tiles/{set}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Map tiles: metadata */
        get: operations["getOgcProjectMapCollectionsLayerMapTilesSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/map/tiles/{set}/{z}/{y}/{x}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A tile of a map */
        get: operations["getOgcProjectMapCollectionsLayerMapTilesSetZYX"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/map/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A picture of a map */
        get: operations["getOgcProjectMapMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/{project}/{map}/collections/{layer}/map/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A picture of a map */
        get: operations["getOgcProjectMapCollectionsLayerMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wfs/{project}/{map}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** WFS 2.0 of a map by parameters */
        get: operations["getWfsProjectMap"];
        put?: never;
        /**
         * WFS 2.0 of a map by a body of XML
         * @description The same requests, and Transaction, which takes a token.
         */
        post: operations["postWfsProjectMap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @enum {string} */
            error: "error" | "warning" | "notice";
            /**
             * @description What is wrong, for a program
             * @enum {string}
             */
            code: "internal" | "project_not_found" | "map_not_found" | "container_not_found" | "layer_not_found" | "column_not_found" | "object_not_found" | "file_not_found" | "job_not_found" | "not_authenticated" | "forbidden" | "login_failed" | "bad_request" | "required_missing" | "type_missing" | "code_taken" | "code_invalid" | "code_reserved" | "style_invalid" | "format_invalid" | "filter_column_not_selected" | "value_invalid" | "constraint_violated" | "import_failed" | "export_failed" | "import_georeference_missing" | "not_materialized" | "not_owner" | "query_invalid" | "too_large" | "too_many_requests" | "timeout" | "busy" | "changed_meanwhile" | "method_not_allowed";
            /** @description What is wrong, for a person */
            message: string;
            /** @description What is wrong, by name, such as {"columns": ["pop"]} */
            data: Record<string, unknown>;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApi28: {
        parameters: {
            query?: {
                /** @description Only the project of this code */
                project?: string;
                /** @description Adds `maps`, `users` and `bytes` to each project */
                returnUsage?: "0" | "1" | "true" | "false";
                /** @description Adds `holds` to the project that `project` names */
                returnCounts?: "0" | "1" | "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        code: string;
                        name: string;
                        /** @description The main one first */
                        languages: string[];
                        /** @description With returnUsage=1: maps */
                        maps?: number;
                        /** @description With returnUsage=1: users */
                        users?: number;
                        /** @description With returnUsage=1: bytes that are stored */
                        bytes?: number;
                        holds?: {
                            /** @description Maps */
                            maps?: number;
                            /** @description Folders */
                            folders?: number;
                            /** @description Layers */
                            layers?: number;
                            /** @description Objects of layers; those of virtual layers belong to their sources */
                            objects?: number;
                            /** @description Columns, without svc_id and geom */
                            columns?: number;
                            /** @description Objects with a value in the column */
                            values?: number;
                            /** @description Files of objects */
                            files?: number;
                            /** @description Their size */
                            bytes?: number;
                            /** @description Users */
                            users?: number;
                            /** @description Groups of the project; those that a user is in */
                            groups?: number;
                            /** @description Users in the group */
                            members?: number;
                            /** @description Sessions of the user */
                            sessions?: number;
                            /** @description Grants of rights on it, or to the user or group */
                            grants?: number;
                            /** @description Constraints of the column */
                            constraints?: number;
                            /** @description Columns elsewhere that take their values from it */
                            dictionary_links?: number;
                            /** @description Layers elsewhere whose queries read it: map.layer */
                            readers?: string[];
                            /** @description More of them, which the caller may not view */
                            other_readers?: number;
                        };
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postApi28: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 63 Latin letters, digits, underscores and hyphens */
                    code: string;
                    name?: string;
                    /** @description Language codes, the main one first; English when absent in a new project */
                    languages?: string[];
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        code: string;
                        name: string;
                        /** @description The main one first */
                        languages: string[];
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postProject: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                    /** @description A name, or language code → name where localized_name */
                    name?: string | {
                        [key: string]: string;
                    };
                    /** @description Whether the name is a text per language */
                    localized_name?: boolean;
                    /** @description CartoCSS: `Map { background-color: … }`; a quiet background when absent */
                    css_style?: string;
                    /**
                     * @description 0 = several layers, 1 = a single layer
                     * @enum {unknown}
                     */
                    group_layers?: 0 | 1;
                    /** @description false: only callers with a grant of their own see the map */
                    publish?: boolean;
                    /** @description Whether the public may view the map */
                    has_publication?: boolean;
                    /** @description Settings of the map; search: what the search reads, [{layer, columns, name_column}], in use when the publication tree is saved; base_layer: the id of the layer that is drawn below all others, and not with base=0; ground: whether the map page shows it over a plain base map of land and borders (default: for maps without a background and a base layer) */
                    json?: {
                        [key: string]: unknown;
                    };
                    /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                    render_settings?: {
                        /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                        minZoom?: unknown;
                        /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                        maxZoom?: unknown;
                        /** @description 0 to 1 (default); times that of the map */
                        opacity?: unknown;
                        /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                        buffer?: unknown;
                        /** @description Whether tiles are kept in memory; default true */
                        cache?: unknown;
                    };
                    comment?: string;
                    /** @description Whether the map is shown in lists of maps */
                    show_pub?: boolean;
                    /** @description Place among the maps, rounded */
                    sort?: number;
                    /** @description Languages that the map offers; null or none: those of the project */
                    locales?: (string | {
                        code: string;
                        name?: string;
                        sort?: number;
                    })[] | null;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        code: string;
                        /** @description In the language of `lng`; empty when none was given */
                        name: string;
                        /** @description CartoCSS of the map: the background under its layers */
                        css_style: string;
                        /**
                         * @description 0 = several layers, 1 = a single layer
                         * @enum {unknown}
                         */
                        group_layers: 0 | 1;
                        /** @description Whether the map can be viewed without authorization */
                        has_publication: boolean;
                        /** @description Codes of the languages that the map offers */
                        languages?: string[];
                        /** @description With returnJson=1: settings of the map; without the right to edit it ground and base_layer alone */
                        json?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchProject: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description Language codes, the main one first; English when absent in a new project */
                    languages?: string[];
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        code: string;
                        name: string;
                        /** @description The main one first */
                        languages: string[];
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postLogin: {
        parameters: {
            query?: {
                /** @description User login (or `user`) */
                login?: string;
                /** @description The same as login */
                user?: string;
                /** @description Password (or `pass`) */
                password?: string;
                /** @description The same as password */
                pass?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The parameters, where not in the query */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description User login (or `user`) */
                    login?: string;
                    /** @description The same as login */
                    user?: string;
                    /** @description Password (or `pass`) */
                    password?: string;
                    /** @description The same as password */
                    pass?: string;
                } | null;
                "application/x-www-form-urlencoded": {
                    /** @description User login (or `user`) */
                    login?: string;
                    /** @description The same as login */
                    user?: string;
                    /** @description Password (or `pass`) */
                    password?: string;
                    /** @description The same as password */
                    pass?: string;
                } | null;
                "multipart/form-data": {
                    /** @description User login (or `user`) */
                    login?: string;
                    /** @description The same as login */
                    user?: string;
                    /** @description Password (or `pass`) */
                    password?: string;
                    /** @description The same as password */
                    pass?: string;
                } | null;
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postLogout: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
                /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The parameters, where not in the query */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                    token?: string;
                } | null;
                "application/x-www-form-urlencoded": {
                    /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                    token?: string;
                } | null;
                "multipart/form-data": {
                    /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                    token?: string;
                } | null;
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAuthorized: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
                /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postExtLogin: {
        parameters: {
            query?: {
                /** @description External authorization token of the user */
                token?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The parameters, where not in the query */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description External authorization token of the user */
                    token?: string;
                } | null;
                "application/x-www-form-urlencoded": {
                    /** @description External authorization token of the user */
                    token?: string;
                } | null;
                "multipart/form-data": {
                    /** @description External authorization token of the user */
                    token?: string;
                } | null;
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postExtAuth: {
        parameters: {
            query?: {
                /** @description Login of the other user */
                login?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The parameters, where not in the query */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Login of the other user */
                    login?: string;
                    /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                    token?: string;
                } | null;
                "application/x-www-form-urlencoded": {
                    /** @description Login of the other user */
                    login?: string;
                    /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                    token?: string;
                } | null;
                "multipart/form-data": {
                    /** @description Login of the other user */
                    login?: string;
                    /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                    token?: string;
                } | null;
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putLoginPassword: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The present password */
                    password: string;
                    /** @description 8 to 1,024 characters */
                    new_password: string;
                    /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                    token?: string;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postLoginKeys: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The present password */
                    password: string;
                    /** @description What the key is called */
                    name: string;
                    /** @description It ends after so long without use; 90 */
                    days?: number;
                    /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                    token?: string;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLoginSessions: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Names the session; it is no token */
                        id: string;
                        /**
                         * @description rest: of a program; console: of a browser; key: of a key for a program
                         * @enum {unknown}
                         */
                        kind: "rest" | "console" | "key";
                        /** @description Of a key: what its user calls it; else empty */
                        name: string;
                        /** @description Code of the project */
                        project: string;
                        /** @description ISO 8601, exact to a tenth of the idle time */
                        last_used: string;
                        /** @description When it ends unless it is used */
                        ends: string;
                        /** @description Whether the request came in it */
                        current: boolean;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteLoginSessions: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Sessions that were ended */
                        ended: number;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteLoginSession: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Id of the session */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsersList: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsersInfo: {
        parameters: {
            query?: {
                /** @description Another user (administrator); the caller when absent or empty */
                login?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        login: string;
                        name: string;
                        email: string;
                        password: null;
                        groups: string[];
                        publicAccess: boolean;
                        guiAccess: boolean;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postUsers: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 8 to 1,024 characters */
                    password: string;
                    name?: string;
                    email?: string;
                    /** @description Names of groups; made when new */
                    groups?: string[];
                    /** @description Whether rights of the public user count too; true when absent in a new user */
                    publicAccess?: boolean;
                    /** @description Whether the user may use the administration console */
                    guiAccess?: boolean;
                    /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                    token?: string;
                    /** @description 1 to 63 visible characters, without spaces and slashes; not `public`, `list` or `info` */
                    login: string;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        login: string;
                        name: string;
                        email: string;
                        password: null;
                        groups: string[];
                        publicAccess: boolean;
                        guiAccess: boolean;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUsersLogin: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Login of the user */
                login: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchUsersLogin: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Login of the user */
                login: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description 8 to 1,024 characters */
                    password?: string;
                    name?: string;
                    email?: string;
                    /** @description Names of groups; made when new */
                    groups?: string[];
                    /** @description Whether rights of the public user count too; true when absent in a new user */
                    publicAccess?: boolean;
                    /** @description Whether the user may use the administration console */
                    guiAccess?: boolean;
                    /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                    token?: string;
                    /** @description 1 to 63 visible characters, without spaces and slashes; not `public`, `list` or `info` */
                    login?: string;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        login: string;
                        name: string;
                        email: string;
                        password: null;
                        groups: string[];
                        publicAccess: boolean;
                        guiAccess: boolean;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsersLoginSessions: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Login of the user */
                login: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Names the session; it is no token */
                        id: string;
                        /**
                         * @description rest: of a program; console: of a browser; key: of a key for a program
                         * @enum {unknown}
                         */
                        kind: "rest" | "console" | "key";
                        /** @description Of a key: what its user calls it; else empty */
                        name: string;
                        /** @description Code of the project */
                        project: string;
                        /** @description ISO 8601, exact to a tenth of the idle time */
                        last_used: string;
                        /** @description When it ends unless it is used */
                        ends: string;
                        /** @description Whether the request came in it */
                        current: boolean;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUsersLoginSessions: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Login of the user */
                login: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Sessions that were ended */
                        ended: number;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUsersLoginSession: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Login of the user */
                login: string;
                /** @description Id of the session */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRights: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Login; the public user is `public` */
                        user?: string;
                        /** @description Name of a group */
                        group?: string;
                        /** @description null: inherited */
                        right: ("none" | "view" | "edit" | "administer") | null;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putRights: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Login; the public user is `public` */
                    user?: string;
                    /** @description Name of a group */
                    group?: string;
                    /** @description null: inherited */
                    right: ("none" | "view" | "edit" | "administer") | null;
                } | {
                    /** @description Login; the public user is `public` */
                    user?: string;
                    /** @description Name of a group */
                    group?: string;
                    /** @description null: inherited */
                    right: ("none" | "view" | "edit" | "administer") | null;
                }[];
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Login; the public user is `public` */
                        user?: string;
                        /** @description Name of a group */
                        group?: string;
                        /** @description null: inherited */
                        right: ("none" | "view" | "edit" | "administer") | null;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapRights: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Login; the public user is `public` */
                        user?: string;
                        /** @description Name of a group */
                        group?: string;
                        /** @description null: inherited */
                        right: ("none" | "view" | "edit" | "administer") | null;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putMapRights: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Login; the public user is `public` */
                    user?: string;
                    /** @description Name of a group */
                    group?: string;
                    /** @description null: inherited */
                    right: ("none" | "view" | "edit" | "administer") | null;
                } | {
                    /** @description Login; the public user is `public` */
                    user?: string;
                    /** @description Name of a group */
                    group?: string;
                    /** @description null: inherited */
                    right: ("none" | "view" | "edit" | "administer") | null;
                }[];
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Login; the public user is `public` */
                        user?: string;
                        /** @description Name of a group */
                        group?: string;
                        /** @description null: inherited */
                        right: ("none" | "view" | "edit" | "administer") | null;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerRights: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Login; the public user is `public` */
                        user?: string;
                        /** @description Name of a group */
                        group?: string;
                        /** @description null: inherited */
                        right: ("none" | "view" | "edit" | "administer") | null;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putMapLayerRights: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Login; the public user is `public` */
                    user?: string;
                    /** @description Name of a group */
                    group?: string;
                    /** @description null: inherited */
                    right: ("none" | "view" | "edit" | "administer") | null;
                } | {
                    /** @description Login; the public user is `public` */
                    user?: string;
                    /** @description Name of a group */
                    group?: string;
                    /** @description null: inherited */
                    right: ("none" | "view" | "edit" | "administer") | null;
                }[];
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Login; the public user is `public` */
                        user?: string;
                        /** @description Name of a group */
                        group?: string;
                        /** @description null: inherited */
                        right: ("none" | "view" | "edit" | "administer") | null;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRightsExplain: {
        parameters: {
            query?: {
                /** @description The caller when absent or empty; `public` is the public user */
                login?: string;
                /** @description Code of a map */
                map?: string;
                /** @description Code of a layer of the map */
                layer?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        login: string;
                        /** @enum {unknown} */
                        right: "none" | "view" | "edit" | "administer";
                        grant: {
                            user?: string;
                            group?: string;
                            /** @enum {unknown} */
                            on: "project" | "map" | "layer";
                            /** @enum {unknown} */
                            right: "none" | "view" | "edit" | "administer";
                        } | null;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRightsOverview: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        users: {
                            login: string;
                            name: string;
                            groups: string[];
                            publicAccess: boolean;
                        }[];
                        groups: {
                            name: string;
                            members: string[];
                        }[];
                        grants: {
                            /** @description Login; the public user is `public` */
                            user?: string;
                            group?: string;
                            /** @enum {unknown} */
                            right: "none" | "view" | "edit" | "administer";
                            /** @description Code of the map; absent: on the project */
                            map?: string;
                            /** @description Code of a layer of the map */
                            layer?: string;
                        }[];
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDeletion: {
        parameters: {
            query?: {
                /** @description Code of a map */
                map?: string;
                /** @description Code of a folder of the map */
                folder?: string;
                /** @description Code of a layer of the map */
                layer?: string;
                /** @description Code of a column of the layer */
                column?: string;
                /** @description Objects of the layer: ids separated by semicolons, or first-last */
                objects?: string;
                /** @description Login of a user */
                user?: string;
                /** @description Name of a group */
                group?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Maps */
                        maps?: number;
                        /** @description Folders */
                        folders?: number;
                        /** @description Layers */
                        layers?: number;
                        /** @description Objects of layers; those of virtual layers belong to their sources */
                        objects?: number;
                        /** @description Columns, without svc_id and geom */
                        columns?: number;
                        /** @description Objects with a value in the column */
                        values?: number;
                        /** @description Files of objects */
                        files?: number;
                        /** @description Their size */
                        bytes?: number;
                        /** @description Users */
                        users?: number;
                        /** @description Groups of the project; those that a user is in */
                        groups?: number;
                        /** @description Users in the group */
                        members?: number;
                        /** @description Sessions of the user */
                        sessions?: number;
                        /** @description Grants of rights on it, or to the user or group */
                        grants?: number;
                        /** @description Constraints of the column */
                        constraints?: number;
                        /** @description Columns elsewhere that take their values from it */
                        dictionary_links?: number;
                        /** @description Layers elsewhere whose queries read it: map.layer */
                        readers?: string[];
                        /** @description More of them, which the caller may not view */
                        other_readers?: number;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAdministrationStorage: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description All together */
                        bytes: number;
                        /** @description The largest first */
                        maps: {
                            code: string;
                            name: string;
                            layers: number;
                            /** @description Of large layers an estimate */
                            objects: number;
                            /** @description Bytes of the objects and their indexes */
                            tables: number;
                            files: {
                                count: number;
                                /** @description Bytes */
                                bytes: number;
                            };
                            /** @description Of raster layers: as they came, and as they are drawn */
                            images: {
                                count: number;
                                /** @description Bytes */
                                bytes: number;
                            };
                            /** @description Bytes */
                            bytes: number;
                        }[];
                        icons: {
                            count: number;
                            /** @description Bytes */
                            bytes: number;
                        };
                        /** @description Resumable uploads, with their whole size */
                        uploads: {
                            count: number;
                            /** @description Bytes */
                            bytes: number;
                        };
                        /** @description Kept files of exports */
                        exports: {
                            count: number;
                            /** @description Bytes */
                            bytes: number;
                        };
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAdministrationJournal: {
        parameters: {
            query?: {
                /** @description Most entries */
                limit?: number;
                /** @description Only entries before this id */
                before?: number;
                /** @description Only what this user did */
                login?: string;
                /** @description Only what was done to the map of this code */
                map?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Rises with time */
                        id: number;
                        /** Format: date-time */
                        at: string;
                        /** @description null: not signed in */
                        login: string | null;
                        /** @description What was done, such as layer_made or rights_changed */
                        action: string;
                        /** @description Code of the map */
                        map: string | null;
                        /** @description Code of the layer */
                        layer: string | null;
                        /** @description What else was changed: its code, name, login or id */
                        item: string | null;
                        /** @description Equal changes of one user within a second */
                        count: number;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAdministrationSettings: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The environment variable */
                        name: string;
                        /** @description Its part of the page of settings */
                        subject: string;
                        /** @description null: secret */
                        value: (string | number | boolean) | null;
                        default: string | number | boolean;
                        /** @description Unit or form of the value */
                        unit: string;
                        meaning: string;
                        isSecret: boolean;
                        /** @description Whether it has another value than the default */
                        isChanged: boolean;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMap: {
        parameters: {
            query?: {
                /** @description Adds the languages that the map offers */
                returnLanguages?: "0" | "1" | "true" | "false";
                /** @description Adds the settings of the map */
                returnJson?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        code: string;
                        /** @description In the language of `lng`; empty when none was given */
                        name: string;
                        /** @description CartoCSS of the map: the background under its layers */
                        css_style: string;
                        /**
                         * @description 0 = several layers, 1 = a single layer
                         * @enum {unknown}
                         */
                        group_layers: 0 | 1;
                        /** @description Whether the map can be viewed without authorization */
                        has_publication: boolean;
                        /** @description Codes of the languages that the map offers */
                        languages?: string[];
                        /** @description With returnJson=1: settings of the map; without the right to edit it ground and base_layer alone */
                        json?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMap: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchMap: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    code?: string;
                    /** @description A name, or language code → name where localized_name */
                    name?: string | {
                        [key: string]: string;
                    };
                    /** @description Whether the name is a text per language */
                    localized_name?: boolean;
                    /** @description CartoCSS: `Map { background-color: … }`; a quiet background when absent */
                    css_style?: string;
                    /**
                     * @description 0 = several layers, 1 = a single layer
                     * @enum {unknown}
                     */
                    group_layers?: 0 | 1;
                    /** @description false: only callers with a grant of their own see the map */
                    publish?: boolean;
                    /** @description Whether the public may view the map */
                    has_publication?: boolean;
                    /** @description Settings of the map; search: what the search reads, [{layer, columns, name_column}], in use when the publication tree is saved; base_layer: the id of the layer that is drawn below all others, and not with base=0; ground: whether the map page shows it over a plain base map of land and borders (default: for maps without a background and a base layer) */
                    json?: {
                        [key: string]: unknown;
                    };
                    /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                    render_settings?: {
                        /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                        minZoom?: unknown;
                        /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                        maxZoom?: unknown;
                        /** @description 0 to 1 (default); times that of the map */
                        opacity?: unknown;
                        /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                        buffer?: unknown;
                        /** @description Whether tiles are kept in memory; default true */
                        cache?: unknown;
                    };
                    comment?: string;
                    /** @description Whether the map is shown in lists of maps */
                    show_pub?: boolean;
                    /** @description Place among the maps, rounded */
                    sort?: number;
                    /** @description Languages that the map offers; null or none: those of the project */
                    locales?: (string | {
                        code: string;
                        name?: string;
                        sort?: number;
                    })[] | null;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        code: string;
                        /** @description In the language of `lng`; empty when none was given */
                        name: string;
                        /** @description CartoCSS of the map: the background under its layers */
                        css_style: string;
                        /**
                         * @description 0 = several layers, 1 = a single layer
                         * @enum {unknown}
                         */
                        group_layers: 0 | 1;
                        /** @description Whether the map can be viewed without authorization */
                        has_publication: boolean;
                        /** @description Codes of the languages that the map offers */
                        languages?: string[];
                        /** @description With returnJson=1: settings of the map; without the right to edit it ground and base_layer alone */
                        json?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMaps: {
        parameters: {
            query?: {
                /** @description Adds `changed` to each map */
                returnChanged?: "0" | "1" | "true" | "false";
                /** @description Adds `objects` to each map */
                returnObjects?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        code: string;
                        /** @description In the language of `lng`; empty when none was given */
                        name: string;
                        /** @description The right of the caller: 1 view, 2 edit, 3 administer */
                        access: number;
                        /** @description Whether publication is open */
                        publish: boolean;
                        /** @description Whether the map can be viewed without authorization */
                        has_publication: boolean;
                        /** @description Number of layers that the caller may view */
                        layers: number;
                        /** @description Of these layers; null where it is unknown */
                        extent: {
                            /** @description South-west corner: latitude, longitude */
                            sw: number[];
                            /** @description North-east corner: latitude, longitude */
                            ne: number[];
                        } | null;
                        /** @description With returnChanged=1: the last change of the map, its layers or their objects; null where that was before the service noted it */
                        changed?: string | null;
                        /** @description With returnObjects=1: objects in its layers; of large layers an estimate */
                        objects?: number;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapsAvailable: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        code: string;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapsPublic: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description map */
                        type: string;
                        /** @description 0: a map lies in its project */
                        parent: number;
                        code: string;
                        /** @description The code of the map */
                        parent_map: string;
                        sort: number;
                        show_pub: boolean;
                        css_style: string;
                        localized_name: boolean;
                        name: string;
                        /** @description Language code → name, one each */
                        names: {
                            [key: string]: string;
                        }[];
                        /** @description The right of the caller: 0 none, 1 view, 2 edit, 3 administer */
                        access: number;
                        /** @description Settings of the map */
                        json: {
                            [key: string]: unknown;
                        };
                        comment: string;
                        /** @description Ids of virtual and materialized layers of other maps that read layers of this one */
                        listDepended: number[];
                        table_id: number;
                        /** @description 0 not set, 2 CartoCSS */
                        style_mode: number;
                        /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                        render_settings: {
                            /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                            minZoom?: unknown;
                            /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                            maxZoom?: unknown;
                            /** @description 0 to 1 (default); times that of the map */
                            opacity?: unknown;
                            /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                            buffer?: unknown;
                            /** @description Whether tiles are kept in memory; default true */
                            cache?: unknown;
                        };
                        /** @description Whether publication is open */
                        publish: boolean;
                        /**
                         * @description 0 = several layers, 1 = a single layer
                         * @enum {unknown}
                         */
                        group_layers: 0 | 1;
                        has_publication: boolean;
                        locales: {
                            id: number;
                            code: string;
                            name: string;
                            sort: number;
                            /** @description Id of the map */
                            container: number;
                        }[];
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapFolders: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Made by the service when absent */
                    code?: string;
                    /** @description Whether the name is a text per language */
                    localized_name?: boolean;
                    /** @description A name, or language code → name where localized_name */
                    name?: string | {
                        [key: string]: string;
                    };
                    /** @description Map (default) or folder of it; on a change it must be present and name where the folder lies */
                    parent_id?: number;
                    /** @description Place in the parent, a fraction lies between; siblings are numbered anew */
                    sort?: number;
                    /** @description Settings of the folder; of these icon (a path), tiles_quality (0, 1) and view_format_type (0, 1, 2) become what the folder shows under these names */
                    json?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description folder */
                        type: string;
                        code: string;
                        /** @description A name, or language code → name where localized_name */
                        name: string | {
                            [key: string]: string;
                        };
                        sort: number;
                        icon: string;
                        selected: boolean;
                        parent_id: number;
                        /**
                         * @description 0 = raster, 1 = vector
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description The same as id */
                        map_layer_id: number;
                        style_mode: number;
                        /** @description 0 full-colour PNG, 1 limited-palette PNG8 */
                        tiles_quality: number;
                        /** @description Settings of the folder */
                        json: {
                            [key: string]: unknown;
                        };
                        /** @description 0 tree, 1 collapsed, 2 one choice at a time */
                        view_format_type: number;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapFolder: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the folder */
                folder: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description folder */
                        type: string;
                        code: string;
                        /** @description A name, or language code → name where localized_name */
                        name: string | {
                            [key: string]: string;
                        };
                        sort: number;
                        icon: string;
                        selected: boolean;
                        parent_id: number;
                        /**
                         * @description 0 = raster, 1 = vector
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description The same as id */
                        map_layer_id: number;
                        style_mode: number;
                        /** @description 0 full-colour PNG, 1 limited-palette PNG8 */
                        tiles_quality: number;
                        /** @description Settings of the folder */
                        json: {
                            [key: string]: unknown;
                        };
                        /** @description 0 tree, 1 collapsed, 2 one choice at a time */
                        view_format_type: number;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putMapFolder: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the folder */
                folder: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Made by the service when absent */
                    code?: string;
                    /** @description Whether the name is a text per language */
                    localized_name?: boolean;
                    /** @description A name, or language code → name where localized_name */
                    name?: string | {
                        [key: string]: string;
                    };
                    /** @description Map (default) or folder of it; on a change it must be present and name where the folder lies */
                    parent_id?: number;
                    /** @description Place in the parent, a fraction lies between; siblings are numbered anew */
                    sort?: number;
                    /** @description Settings of the folder; of these icon (a path), tiles_quality (0, 1) and view_format_type (0, 1, 2) become what the folder shows under these names */
                    json?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description folder */
                        type: string;
                        code: string;
                        /** @description A name, or language code → name where localized_name */
                        name: string | {
                            [key: string]: string;
                        };
                        sort: number;
                        icon: string;
                        selected: boolean;
                        parent_id: number;
                        /**
                         * @description 0 = raster, 1 = vector
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description The same as id */
                        map_layer_id: number;
                        style_mode: number;
                        /** @description 0 full-colour PNG, 1 limited-palette PNG8 */
                        tiles_quality: number;
                        /** @description Settings of the folder */
                        json: {
                            [key: string]: unknown;
                        };
                        /** @description 0 tree, 1 collapsed, 2 one choice at a time */
                        view_format_type: number;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMapFolder: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the folder */
                folder: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchMapFolder: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the folder */
                folder: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Made by the service when absent */
                    code?: string;
                    /** @description Whether the name is a text per language */
                    localized_name?: boolean;
                    /** @description A name, or language code → name where localized_name */
                    name?: string | {
                        [key: string]: string;
                    };
                    /** @description Map (default) or folder of it; on a change it must be present and name where the folder lies */
                    parent_id?: number;
                    /** @description Place in the parent, a fraction lies between; siblings are numbered anew */
                    sort?: number;
                    /** @description Settings of the folder; of these icon (a path), tiles_quality (0, 1) and view_format_type (0, 1, 2) become what the folder shows under these names */
                    json?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description folder */
                        type: string;
                        code: string;
                        /** @description A name, or language code → name where localized_name */
                        name: string | {
                            [key: string]: string;
                        };
                        sort: number;
                        icon: string;
                        selected: boolean;
                        parent_id: number;
                        /**
                         * @description 0 = raster, 1 = vector
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description The same as id */
                        map_layer_id: number;
                        style_mode: number;
                        /** @description 0 full-colour PNG, 1 limited-palette PNG8 */
                        tiles_quality: number;
                        /** @description Settings of the folder */
                        json: {
                            [key: string]: unknown;
                        };
                        /** @description 0 tree, 1 collapsed, 2 one choice at a time */
                        view_format_type: number;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayers: {
        parameters: {
            query?: {
                /** @description publish: the publication tree (before one was saved, all layers); full: all layers */
                type?: "full" | "publish";
                /** @description Adds the extent of each layer */
                returnBbox?: "0" | "1" | "true" | "false";
                /** @description Adds the style of each layer */
                returnCss?: "0" | "1" | "true" | "false";
                /** @description Projection of the extents */
                bboxSR?: "4326" | "3857";
                /** @description Adds the caller's right on each folder and layer */
                returnAccess?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description folder, layer, virtual, material, raster or external */
                        type: string;
                        code: string;
                        name: string;
                        sort: number;
                        /** @description An item; 0 (publish) or the id of the map (full) at the root */
                        parent_id: number;
                        selected: boolean;
                        /** @description The folder or layer that the item shows */
                        map_layer_id: number;
                        icon: string;
                        /**
                         * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description Folders: 0 tree, 1 collapsed, 2 one choice at a time */
                        view_format_type?: number;
                        /** @description For a visualization: 3, or 4 for a custom one; it has a legend */
                        style_mode?: number;
                        css_style?: string;
                        /** @description null: nothing in the layer has a geometry */
                        bbox?: {
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            sw: number[];
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            ne: number[];
                        } | null;
                        /** @description Settings of an external layer */
                        json?: {
                            [key: string]: unknown;
                        };
                        /** @description 1 view, 2 edit, 3 administer */
                        access?: number;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayers: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Made by the service when absent */
                    code?: string;
                    /** @description Whether the name is a text per language */
                    localized_name?: boolean;
                    /**
                     * @description layer (objects), virtual (the result of json.query), material (the same, stored), raster (an image) or external (pictures of another server)
                     * @default layer
                     */
                    type?: string;
                    /** @description A name, or language code → name where localized_name */
                    name?: string | {
                        [key: string]: string;
                    };
                    /** @description The map (default) or a folder of it */
                    parent_id?: number;
                    /** @description Place in the parent, a fraction lies between; siblings are numbered anew */
                    sort?: number;
                    /** @description CartoCSS; `#code` or `#layer` selects the layer */
                    css_style?: string;
                    /** @description Metadata of a raster */
                    meta?: {
                        [key: string]: unknown;
                    };
                    /** @description Settings of the layer. virtual, material: query, one SELECT over layers written map_code.layer_code, with a column svc_id and, where it has geometry, geom. external: type (xyz, tms, wms), url, subdomains, minZoom, maxZoom, tileSize, extent, attribution, missing, fetch, and of a WMS layers, styles, version, format */
                    json?: {
                        [key: string]: unknown;
                    };
                    /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                    render_settings?: {
                        /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                        minZoom?: unknown;
                        /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                        maxZoom?: unknown;
                        /** @description 0 to 1 (default); times that of the map */
                        opacity?: unknown;
                        /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                        buffer?: unknown;
                        /** @description Whether tiles are kept in memory; default true */
                        cache?: unknown;
                    };
                    /**
                     * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                     * @enum {unknown}
                     */
                    render_type?: 0 | 1;
                    selected?: boolean;
                    /** @description Path of an icon */
                    icon?: string;
                    /** @description A style of colours and sizes, of which css_style is made; style_mode becomes 1. null: the CartoCSS stays */
                    simpleStyle?: {
                        /** @description Inside of areas: a colour; null (default): not filled */
                        fill?: unknown;
                        /** @description 0 to 1 (default) */
                        fillOpacity?: unknown;
                        /** @description Lines, and outlines of areas: a colour; null (default): none */
                        stroke?: unknown;
                        /** @description Pixels, 0 to 100; default 1 */
                        strokeWidth?: unknown;
                        /** @description 0 to 1 (default) */
                        strokeOpacity?: unknown;
                        /** @description Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line */
                        strokeDash?: unknown;
                        /** @description What stands for points; null (default): nothing */
                        marker?: {
                            /** @description circle (default), arrow, square, triangle, diamond, star, cross or pin */
                            shape?: unknown;
                            /** @description The name of an icon of the project, which goes before the shape; default empty */
                            icon?: unknown;
                            /** @description Width, pixels, 1 to 500; default 10 */
                            size?: unknown;
                            /** @description A colour; default #d9480f */
                            color?: unknown;
                            /** @description 0 to 1 (default) */
                            opacity?: unknown;
                            /** @description Its edge: a colour; null (default): none */
                            stroke?: unknown;
                            /** @description Pixels, 0 to 100; default 1 */
                            strokeWidth?: unknown;
                        };
                        /** @description What is written; null (default): nothing */
                        label?: {
                            /** @description Required: the code of the column whose values are written */
                            column?: unknown;
                            /** @description The full name of a font of the service; default DejaVu Sans Book */
                            font?: unknown;
                            /** @description Pixels, 4 to 200; default 12 */
                            size?: unknown;
                            /** @description A colour; default #333333 */
                            color?: unknown;
                            /** @description Around the letters: a colour; null (default): none */
                            halo?: unknown;
                            /** @description Pixels, 0 to 20; default 1.5 */
                            haloWidth?: unknown;
                            /** @description The zoom level from which on it is written, 0 (default) to 24 */
                            minZoom?: unknown;
                        };
                    } | null;
                    /** @description How a client draws the layer where render_type is 1; in a change what is absent keeps its value */
                    vectorSettings?: {
                        /** @description The layer; not to be changed */
                        id?: unknown;
                        /** @description Whether minZoom and maxZoom count; default false */
                        zoomsEnabled?: unknown;
                        /** @description Zoom level, 0 (default) to 24 */
                        minZoom?: unknown;
                        /** @description Zoom level, 0 to 24 (default) */
                        maxZoom?: unknown;
                        /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                        stylesPolygon?: unknown;
                        /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                        stylesText?: unknown;
                        /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                        stylesLine?: unknown;
                        /** @description Of points */
                        stylesPoint?: {
                            /** @description Path of an icon; default empty: a circle */
                            icon?: unknown;
                            /** @description Whether iconDx and iconDy count; default false */
                            iconOffsetEnabled?: unknown;
                            /** @description To the right. Pixels, -500 to 500; default 0 */
                            iconDx?: unknown;
                            /** @description Down. Pixels, -500 to 500; default 0 */
                            iconDy?: unknown;
                        };
                        /** @description Whether points that are near are drawn as one; default false */
                        clusteringEnabled?: unknown;
                        /** @description Of clusters */
                        clusterSettings?: {
                            /** @description client */
                            clusteringType?: unknown;
                            /** @description How near, pixels, 1 to 500; default 50 */
                            radius?: unknown;
                            /** @description Whether maxZoom counts; default false */
                            maxZoomEnabled?: unknown;
                            /** @description The last zoom level with clusters, 0 to 24; default 16 */
                            maxZoom?: unknown;
                            /** @description Whether icon is drawn; default false */
                            iconEnabled?: unknown;
                            /** @description Path of an icon; default empty */
                            icon?: unknown;
                            /** @description Whether the icon is wider where there are more objects; default false */
                            iconSizeEnabled?: unknown;
                            /** @description Width, pixels, 1 to 512; default 30 */
                            iconSizeMin?: unknown;
                            /** @description Width, pixels, 1 to 512; default 60 */
                            iconSizeMax?: unknown;
                            /** @description Whether iconDx and iconDy count; default false */
                            iconOffsetEnabled?: unknown;
                            /** @description To the right. Pixels, -500 to 500; default 0 */
                            iconDx?: unknown;
                            /** @description Down. Pixels, -500 to 500; default 0 */
                            iconDy?: unknown;
                            /** @description Whether the number of objects is written; default true */
                            showObjectsCount?: unknown;
                            /** @description Of the number, to the right. Pixels, -500 to 500; default 0 */
                            objectsCountDx?: unknown;
                            /** @description Of the number, down. Pixels, -500 to 500; default 0 */
                            objectsCountDy?: unknown;
                            /** @description Whether objects of other categories of the visualization are other clusters; default false */
                            splitByCategories?: unknown;
                        };
                        /** @description Whether a click shows the value of a column; default false */
                        showPopup?: unknown;
                        /** @description Id of the column; null (default): none */
                        popupColumn?: unknown;
                        /** @description Code of the column, in place of its id */
                        popupColumnCode?: unknown;
                    };
                    /** @description A visualization of the types 1 to 7 (docs/guide/visualizations.md); null removes it */
                    visualSettings?: {
                        /** @description Of the visualization; not to be changed */
                        id?: unknown;
                        /** @description Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map */
                        type?: unknown;
                        /** @description Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none */
                        column?: unknown;
                        /** @description Its code, in place of the id */
                        columnCode?: unknown;
                        /** @description Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks */
                        algorithm?: unknown;
                        /** @description Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3 */
                        classesCount?: unknown;
                        /** @description By type */
                        classesSettings?: {
                            /** @description 0 to 1; default 0.9 (type 3: 0.75; type 7 has layerOpacity) */
                            opacity?: unknown;
                            /** @description Types 1 and 2: of lines, pixels, 0.1 to 50; default 2 */
                            lineWidth?: unknown;
                            /** @description Types 1 and 2: solid (default), dash, dot or dashdot */
                            linePattern?: unknown;
                            /** @description Type 1: colour of the lowest class; default #ffffcc */
                            minColor?: unknown;
                            /** @description Type 1: colour in the middle, null: none; default #41b6c4 */
                            midColor?: unknown;
                            /** @description Type 1: colour of the highest class; default #253494 */
                            maxColor?: unknown;
                            /** @description Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd */
                            noDataColor?: unknown;
                            /** @description Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data */
                            limits?: unknown;
                            /** @description Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values */
                            classes?: unknown;
                            /** @description Type 2: whether the service made the classes; sent back they are made again */
                            computed?: unknown;
                            /** @description Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked} */
                            defaultClass?: unknown;
                            /** @description Type 3: default #e6550d */
                            color?: unknown;
                            /** @description Type 3: least width, pixels, 1 to 200; default 4 */
                            pointSizeMin?: unknown;
                            /** @description Type 3: greatest width, pixels, 1 to 200; default 40 */
                            pointSizeMax?: unknown;
                            /** @description Type 3: the name of an icon */
                            icon?: unknown;
                            /** @description Type 3: whether it is drawn in place of a circle; default false */
                            useIcon?: unknown;
                            /** @description Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters */
                            columns?: unknown;
                            /** @description Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column */
                            sizeType?: unknown;
                            /** @description Types 4 to 6: fixed width, pixels, 4 to 200; default 40 */
                            sizeValue?: unknown;
                            /** @description Types 4 to 6: least width, pixels, 4 to 200; default 20 */
                            sizeFrom?: unknown;
                            /** @description Types 4 to 6: greatest width, pixels, 4 to 200; default 60 */
                            sizeTo?: unknown;
                            /** @description Types 4 to 6: id of the column of sizeType 3 */
                            sizeColumn?: unknown;
                            /** @description Types 4 to 6: its code, in place of the id */
                            sizeColumnCode?: unknown;
                            /** @description Types 5 and 6: whether axes are drawn; default false */
                            showScale?: unknown;
                            /** @description Types 4 to 6: whether charts may touch; default true */
                            allowOverlap?: unknown;
                            /** @description Type 7: fixed (default) or field */
                            markerSizeType?: unknown;
                            /** @description Type 7: how far an object reaches, pixels, 2 to 100; default 20 */
                            markerSize?: unknown;
                            /** @description Type 7: the least of field, pixels, 2 to 100; default 8 */
                            markerSizeMin?: unknown;
                            /** @description Type 7: the greatest of field, pixels, 2 to 100; default 40 */
                            markerSizeMax?: unknown;
                            /** @description Type 7: id or code of a column of numbers */
                            markerSizeField?: unknown;
                            /** @description Type 7: factor of the density, 0 to 1 (default) */
                            markerOpacity?: unknown;
                            /** @description Type 7: 0 to 1; default 0.85 */
                            layerOpacity?: unknown;
                            /** @description Type 7: whether objects count as useWeightField says; default false */
                            useWeight?: unknown;
                            /** @description Type 7: id or code of a column of numbers */
                            useWeightField?: unknown;
                            /** @description Type 7: whether weights count from 0 to 1; default false */
                            weightNormalize?: unknown;
                            /** @description Type 7: the weight that counts 0; default null: the least of the data */
                            weightNormalizeMin?: unknown;
                            /** @description Type 7: the weight that counts 1; default null: the greatest of the data */
                            weightNormalizeMax?: unknown;
                            /** @description Type 7: whether sizes grow with the map; default false */
                            linkToScale?: unknown;
                            /** @description Type 7: the zoom level at which they hold, 0 to 24; default 5 */
                            linkToScaleZoom?: unknown;
                            /** @description Type 7: 2 to 20 colours from cold to hot */
                            colors?: unknown;
                        };
                        /** @description Markers of points */
                        pointSettings?: {
                            /** @description Whether size counts; default false: 10 pixels */
                            sizeEnabled?: unknown;
                            /** @description Width, pixels, 1 to 200; default 10 */
                            size?: unknown;
                            /** @description Whether markers may touch; default true */
                            allowOverlap?: unknown;
                        };
                        /** @description Whether areas and markers have an edge, and lines a casing; default true */
                        showBorder?: unknown;
                        /** @description The edge */
                        borderSettings?: {
                            /** @description Default #ffffff */
                            color?: unknown;
                            /** @description Pixels, 0 to 20; default 0.5 */
                            width?: unknown;
                            /** @description 0 to 1; default 1 */
                            opacity?: unknown;
                            /** @description solid (default), dash, dot or dashdot */
                            pattern?: unknown;
                        };
                        /** @description Whether labels are written; default false */
                        showText?: unknown;
                        /** @description Labels */
                        textSettings?: {
                            /** @description Code of the column that is written; required where showText is true */
                            column?: unknown;
                            /** @description Pixels, 4 to 72; default 11 */
                            fontSize?: unknown;
                            /** @description The full name of a font of the service; default DejaVu Sans Book */
                            fontFamily?: unknown;
                            /** @description Default #333333 */
                            fontColor?: unknown;
                            /** @description 0 to 1; default 1 */
                            fontOpacity?: unknown;
                            /** @description Whether letters have a halo; default true */
                            halo?: unknown;
                            /** @description Default #ffffff */
                            haloColor?: unknown;
                            /** @description Pixels, 0 to 10; default 1.5 */
                            haloWidth?: unknown;
                            /** @description 0 to 1; default 1 */
                            haloOpacity?: unknown;
                            /** @description Whether labels may touch; default false */
                            allowOverlap?: unknown;
                            /** @description Whether textOffset counts; default false */
                            offsetEnabled?: unknown;
                            /** @description Below the place, pixels, -200 to 200; default 0 */
                            textOffset?: unknown;
                        };
                        /** @description Whether viewers show the legend; default true */
                        showLegend?: unknown;
                        /** @description Whether its title is shown; default true */
                        showLegendName?: unknown;
                        /** @description Its title, at most 1,000 characters; default empty: the name of the layer */
                        legendName?: unknown;
                        /** @description Titles by language: at most 200 of {language: title}; they go before legendName */
                        legendNames?: unknown;
                        /** @description Whether numbers of objects are shown; default true */
                        showValues?: unknown;
                    } | null;
                    /** @description A custom visualization by a plugin (docs/guide/custom-visualizations.md); it takes the place of visualSettings, and they of it; null removes it */
                    visualCustomSettings?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description layer or virtual */
                        type: string;
                        code: string;
                        name: string;
                        sort: number;
                        parent_id: number;
                        selected: boolean;
                        /** @description The same as id */
                        map_layer_id: number;
                        icon: string;
                        css_style: string;
                        /**
                         * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description 0 not set, 1 simple style, 2 CartoCSS, 3 visualization, 4 custom visualization */
                        style_mode: number;
                        /** @description Metadata of a raster */
                        meta: {
                            [key: string]: unknown;
                        };
                        /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                        render_settings: {
                            /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                            minZoom?: unknown;
                            /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                            maxZoom?: unknown;
                            /** @description 0 to 1 (default); times that of the map */
                            opacity?: unknown;
                            /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                            buffer?: unknown;
                            /** @description Whether tiles are kept in memory; default true */
                            cache?: unknown;
                        };
                        /** @description null: nothing in the layer has a geometry */
                        bbox?: {
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            sw: number[];
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            ne: number[];
                        } | null;
                        /** @description Settings of the layer; its query only for those who may edit it; of a materialized layer also refreshed: at, rows */
                        json: {
                            [key: string]: unknown;
                        };
                        /** @description A style of colours and sizes, in place of css_style. Colours are #rgb or #rrggbb */
                        simpleStyle?: {
                            /** @description Inside of areas: a colour; null (default): not filled */
                            fill?: unknown;
                            /** @description 0 to 1 (default) */
                            fillOpacity?: unknown;
                            /** @description Lines, and outlines of areas: a colour; null (default): none */
                            stroke?: unknown;
                            /** @description Pixels, 0 to 100; default 1 */
                            strokeWidth?: unknown;
                            /** @description 0 to 1 (default) */
                            strokeOpacity?: unknown;
                            /** @description Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line */
                            strokeDash?: unknown;
                            /** @description What stands for points; null (default): nothing */
                            marker?: {
                                /** @description circle (default), arrow, square, triangle, diamond, star, cross or pin */
                                shape?: unknown;
                                /** @description The name of an icon of the project, which goes before the shape; default empty */
                                icon?: unknown;
                                /** @description Width, pixels, 1 to 500; default 10 */
                                size?: unknown;
                                /** @description A colour; default #d9480f */
                                color?: unknown;
                                /** @description 0 to 1 (default) */
                                opacity?: unknown;
                                /** @description Its edge: a colour; null (default): none */
                                stroke?: unknown;
                                /** @description Pixels, 0 to 100; default 1 */
                                strokeWidth?: unknown;
                            };
                            /** @description What is written; null (default): nothing */
                            label?: {
                                /** @description Required: the code of the column whose values are written */
                                column?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                font?: unknown;
                                /** @description Pixels, 4 to 200; default 12 */
                                size?: unknown;
                                /** @description A colour; default #333333 */
                                color?: unknown;
                                /** @description Around the letters: a colour; null (default): none */
                                halo?: unknown;
                                /** @description Pixels, 0 to 20; default 1.5 */
                                haloWidth?: unknown;
                                /** @description The zoom level from which on it is written, 0 (default) to 24 */
                                minZoom?: unknown;
                            };
                        };
                        /** @description A visualization of the types 1 to 7, replaced as a whole: what is absent has its default. Colours are #rrggbb, #rgb or rgb(r, g, b) */
                        visualSettings?: {
                            /** @description Of the visualization; not to be changed */
                            id?: unknown;
                            /** @description Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map */
                            type?: unknown;
                            /** @description Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none */
                            column?: unknown;
                            /** @description Its code, in place of the id */
                            columnCode?: unknown;
                            /** @description Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks */
                            algorithm?: unknown;
                            /** @description Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3 */
                            classesCount?: unknown;
                            /** @description By type */
                            classesSettings?: {
                                /** @description 0 to 1; default 0.9 (type 3: 0.75; type 7 has layerOpacity) */
                                opacity?: unknown;
                                /** @description Types 1 and 2: of lines, pixels, 0.1 to 50; default 2 */
                                lineWidth?: unknown;
                                /** @description Types 1 and 2: solid (default), dash, dot or dashdot */
                                linePattern?: unknown;
                                /** @description Type 1: colour of the lowest class; default #ffffcc */
                                minColor?: unknown;
                                /** @description Type 1: colour in the middle, null: none; default #41b6c4 */
                                midColor?: unknown;
                                /** @description Type 1: colour of the highest class; default #253494 */
                                maxColor?: unknown;
                                /** @description Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd */
                                noDataColor?: unknown;
                                /** @description Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data */
                                limits?: unknown;
                                /** @description Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values */
                                classes?: unknown;
                                /** @description Type 2: whether the service made the classes; sent back they are made again */
                                computed?: unknown;
                                /** @description Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked} */
                                defaultClass?: unknown;
                                /** @description Type 3: default #e6550d */
                                color?: unknown;
                                /** @description Type 3: least width, pixels, 1 to 200; default 4 */
                                pointSizeMin?: unknown;
                                /** @description Type 3: greatest width, pixels, 1 to 200; default 40 */
                                pointSizeMax?: unknown;
                                /** @description Type 3: the name of an icon */
                                icon?: unknown;
                                /** @description Type 3: whether it is drawn in place of a circle; default false */
                                useIcon?: unknown;
                                /** @description Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters */
                                columns?: unknown;
                                /** @description Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column */
                                sizeType?: unknown;
                                /** @description Types 4 to 6: fixed width, pixels, 4 to 200; default 40 */
                                sizeValue?: unknown;
                                /** @description Types 4 to 6: least width, pixels, 4 to 200; default 20 */
                                sizeFrom?: unknown;
                                /** @description Types 4 to 6: greatest width, pixels, 4 to 200; default 60 */
                                sizeTo?: unknown;
                                /** @description Types 4 to 6: id of the column of sizeType 3 */
                                sizeColumn?: unknown;
                                /** @description Types 4 to 6: its code, in place of the id */
                                sizeColumnCode?: unknown;
                                /** @description Types 5 and 6: whether axes are drawn; default false */
                                showScale?: unknown;
                                /** @description Types 4 to 6: whether charts may touch; default true */
                                allowOverlap?: unknown;
                                /** @description Type 7: fixed (default) or field */
                                markerSizeType?: unknown;
                                /** @description Type 7: how far an object reaches, pixels, 2 to 100; default 20 */
                                markerSize?: unknown;
                                /** @description Type 7: the least of field, pixels, 2 to 100; default 8 */
                                markerSizeMin?: unknown;
                                /** @description Type 7: the greatest of field, pixels, 2 to 100; default 40 */
                                markerSizeMax?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                markerSizeField?: unknown;
                                /** @description Type 7: factor of the density, 0 to 1 (default) */
                                markerOpacity?: unknown;
                                /** @description Type 7: 0 to 1; default 0.85 */
                                layerOpacity?: unknown;
                                /** @description Type 7: whether objects count as useWeightField says; default false */
                                useWeight?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                useWeightField?: unknown;
                                /** @description Type 7: whether weights count from 0 to 1; default false */
                                weightNormalize?: unknown;
                                /** @description Type 7: the weight that counts 0; default null: the least of the data */
                                weightNormalizeMin?: unknown;
                                /** @description Type 7: the weight that counts 1; default null: the greatest of the data */
                                weightNormalizeMax?: unknown;
                                /** @description Type 7: whether sizes grow with the map; default false */
                                linkToScale?: unknown;
                                /** @description Type 7: the zoom level at which they hold, 0 to 24; default 5 */
                                linkToScaleZoom?: unknown;
                                /** @description Type 7: 2 to 20 colours from cold to hot */
                                colors?: unknown;
                            };
                            /** @description Markers of points */
                            pointSettings?: {
                                /** @description Whether size counts; default false: 10 pixels */
                                sizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 200; default 10 */
                                size?: unknown;
                                /** @description Whether markers may touch; default true */
                                allowOverlap?: unknown;
                            };
                            /** @description Whether areas and markers have an edge, and lines a casing; default true */
                            showBorder?: unknown;
                            /** @description The edge */
                            borderSettings?: {
                                /** @description Default #ffffff */
                                color?: unknown;
                                /** @description Pixels, 0 to 20; default 0.5 */
                                width?: unknown;
                                /** @description 0 to 1; default 1 */
                                opacity?: unknown;
                                /** @description solid (default), dash, dot or dashdot */
                                pattern?: unknown;
                            };
                            /** @description Whether labels are written; default false */
                            showText?: unknown;
                            /** @description Labels */
                            textSettings?: {
                                /** @description Code of the column that is written; required where showText is true */
                                column?: unknown;
                                /** @description Pixels, 4 to 72; default 11 */
                                fontSize?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                fontFamily?: unknown;
                                /** @description Default #333333 */
                                fontColor?: unknown;
                                /** @description 0 to 1; default 1 */
                                fontOpacity?: unknown;
                                /** @description Whether letters have a halo; default true */
                                halo?: unknown;
                                /** @description Default #ffffff */
                                haloColor?: unknown;
                                /** @description Pixels, 0 to 10; default 1.5 */
                                haloWidth?: unknown;
                                /** @description 0 to 1; default 1 */
                                haloOpacity?: unknown;
                                /** @description Whether labels may touch; default false */
                                allowOverlap?: unknown;
                                /** @description Whether textOffset counts; default false */
                                offsetEnabled?: unknown;
                                /** @description Below the place, pixels, -200 to 200; default 0 */
                                textOffset?: unknown;
                            };
                            /** @description Whether viewers show the legend; default true */
                            showLegend?: unknown;
                            /** @description Whether its title is shown; default true */
                            showLegendName?: unknown;
                            /** @description Its title, at most 1,000 characters; default empty: the name of the layer */
                            legendName?: unknown;
                            /** @description Titles by language: at most 200 of {language: title}; they go before legendName */
                            legendNames?: unknown;
                            /** @description Whether numbers of objects are shown; default true */
                            showValues?: unknown;
                        };
                        /** @description id; type, the name of the plugin: hexbin; columns, UUID → id of a column; icons, UUID → path of an icon; settings, those of the plugin, which name columns and icons by their UUIDs */
                        visualCustomSettings?: {
                            [key: string]: unknown;
                        };
                        /** @description How a client draws the layer where render_type is 1; in a change what is absent keeps its value */
                        vectorSettings?: {
                            /** @description The layer; not to be changed */
                            id?: unknown;
                            /** @description Whether minZoom and maxZoom count; default false */
                            zoomsEnabled?: unknown;
                            /** @description Zoom level, 0 (default) to 24 */
                            minZoom?: unknown;
                            /** @description Zoom level, 0 to 24 (default) */
                            maxZoom?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesPolygon?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesText?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesLine?: unknown;
                            /** @description Of points */
                            stylesPoint?: {
                                /** @description Path of an icon; default empty: a circle */
                                icon?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                            };
                            /** @description Whether points that are near are drawn as one; default false */
                            clusteringEnabled?: unknown;
                            /** @description Of clusters */
                            clusterSettings?: {
                                /** @description client */
                                clusteringType?: unknown;
                                /** @description How near, pixels, 1 to 500; default 50 */
                                radius?: unknown;
                                /** @description Whether maxZoom counts; default false */
                                maxZoomEnabled?: unknown;
                                /** @description The last zoom level with clusters, 0 to 24; default 16 */
                                maxZoom?: unknown;
                                /** @description Whether icon is drawn; default false */
                                iconEnabled?: unknown;
                                /** @description Path of an icon; default empty */
                                icon?: unknown;
                                /** @description Whether the icon is wider where there are more objects; default false */
                                iconSizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 512; default 30 */
                                iconSizeMin?: unknown;
                                /** @description Width, pixels, 1 to 512; default 60 */
                                iconSizeMax?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                                /** @description Whether the number of objects is written; default true */
                                showObjectsCount?: unknown;
                                /** @description Of the number, to the right. Pixels, -500 to 500; default 0 */
                                objectsCountDx?: unknown;
                                /** @description Of the number, down. Pixels, -500 to 500; default 0 */
                                objectsCountDy?: unknown;
                                /** @description Whether objects of other categories of the visualization are other clusters; default false */
                                splitByCategories?: unknown;
                            };
                            /** @description Whether a click shows the value of a column; default false */
                            showPopup?: unknown;
                            /** @description Id of the column; null (default): none */
                            popupColumn?: unknown;
                            /** @description Code of the column, in place of its id */
                            popupColumnCode?: unknown;
                        };
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapPublish: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From 1; used as parent_id by its children */
                    id: number;
                    /** @description 0 = the root */
                    parent_id: number;
                    /** @description The folder or layer that the item shows */
                    map_layer_id: number;
                    /** @description Place in the parent; that in the array when absent */
                    sort?: number;
                    /** @default true */
                    selected?: boolean;
                    icon?: string;
                }[];
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description folder, layer, virtual, material, raster or external */
                        type: string;
                        code: string;
                        name: string;
                        sort: number;
                        /** @description An item; 0 (publish) or the id of the map (full) at the root */
                        parent_id: number;
                        selected: boolean;
                        /** @description The folder or layer that the item shows */
                        map_layer_id: number;
                        icon: string;
                        /**
                         * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description Folders: 0 tree, 1 collapsed, 2 one choice at a time */
                        view_format_type?: number;
                        /** @description For a visualization: 3, or 4 for a custom one; it has a legend */
                        style_mode?: number;
                        css_style?: string;
                        /** @description null: nothing in the layer has a geometry */
                        bbox?: {
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            sw: number[];
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            ne: number[];
                        } | null;
                        /** @description Settings of an external layer */
                        json?: {
                            [key: string]: unknown;
                        };
                        /** @description 1 view, 2 edit, 3 administer */
                        access?: number;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapMove: {
        parameters: {
            query?: {
                /** @description publish: the publication tree (before one was saved, all layers); full: all layers */
                type?: "full" | "publish";
                /** @description Adds the extent of each layer */
                returnBbox?: "0" | "1" | "true" | "false";
                /** @description Adds the style of each layer */
                returnCss?: "0" | "1" | "true" | "false";
                /** @description Projection of the extents */
                bboxSR?: "4326" | "3857";
                /** @description Adds the caller's right on each folder and layer */
                returnAccess?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The folder or layer */
                    id: number;
                    /** @description The map or a folder of it */
                    parent_id: number;
                    /** @description Place in the parent, a fraction lies between; last when absent; siblings are numbered anew */
                    sort?: number;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description folder, layer, virtual, material, raster or external */
                        type: string;
                        code: string;
                        name: string;
                        sort: number;
                        /** @description An item; 0 (publish) or the id of the map (full) at the root */
                        parent_id: number;
                        selected: boolean;
                        /** @description The folder or layer that the item shows */
                        map_layer_id: number;
                        icon: string;
                        /**
                         * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description Folders: 0 tree, 1 collapsed, 2 one choice at a time */
                        view_format_type?: number;
                        /** @description For a visualization: 3, or 4 for a custom one; it has a legend */
                        style_mode?: number;
                        css_style?: string;
                        /** @description null: nothing in the layer has a geometry */
                        bbox?: {
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            sw: number[];
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            ne: number[];
                        } | null;
                        /** @description Settings of an external layer */
                        json?: {
                            [key: string]: unknown;
                        };
                        /** @description 1 view, 2 edit, 3 administer */
                        access?: number;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapVersions: {
        parameters: {
            query?: {
                /** @description Code of a layer. null is answered where it is gone, or may not be viewed */
                layer?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description ETag of the map */
                        map: string;
                        /** @description ETag of its trees */
                        trees: string;
                        /** @description Of the layer that is asked for */
                        layer: {
                            /** @description ETag of the layer: its names, style and settings */
                            etag: string;
                            /** @description ETag of its columns */
                            structure: string;
                            /** @description Rises with every change of its objects */
                            data: number;
                        } | null;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayer: {
        parameters: {
            query?: {
                /** @description Adds the extent in EPSG:4326 */
                returnBbox?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description layer or virtual */
                        type: string;
                        code: string;
                        name: string;
                        sort: number;
                        parent_id: number;
                        selected: boolean;
                        /** @description The same as id */
                        map_layer_id: number;
                        icon: string;
                        css_style: string;
                        /**
                         * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description 0 not set, 1 simple style, 2 CartoCSS, 3 visualization, 4 custom visualization */
                        style_mode: number;
                        /** @description Metadata of a raster */
                        meta: {
                            [key: string]: unknown;
                        };
                        /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                        render_settings: {
                            /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                            minZoom?: unknown;
                            /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                            maxZoom?: unknown;
                            /** @description 0 to 1 (default); times that of the map */
                            opacity?: unknown;
                            /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                            buffer?: unknown;
                            /** @description Whether tiles are kept in memory; default true */
                            cache?: unknown;
                        };
                        /** @description null: nothing in the layer has a geometry */
                        bbox?: {
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            sw: number[];
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            ne: number[];
                        } | null;
                        /** @description Settings of the layer; its query only for those who may edit it; of a materialized layer also refreshed: at, rows */
                        json: {
                            [key: string]: unknown;
                        };
                        /** @description A style of colours and sizes, in place of css_style. Colours are #rgb or #rrggbb */
                        simpleStyle?: {
                            /** @description Inside of areas: a colour; null (default): not filled */
                            fill?: unknown;
                            /** @description 0 to 1 (default) */
                            fillOpacity?: unknown;
                            /** @description Lines, and outlines of areas: a colour; null (default): none */
                            stroke?: unknown;
                            /** @description Pixels, 0 to 100; default 1 */
                            strokeWidth?: unknown;
                            /** @description 0 to 1 (default) */
                            strokeOpacity?: unknown;
                            /** @description Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line */
                            strokeDash?: unknown;
                            /** @description What stands for points; null (default): nothing */
                            marker?: {
                                /** @description circle (default), arrow, square, triangle, diamond, star, cross or pin */
                                shape?: unknown;
                                /** @description The name of an icon of the project, which goes before the shape; default empty */
                                icon?: unknown;
                                /** @description Width, pixels, 1 to 500; default 10 */
                                size?: unknown;
                                /** @description A colour; default #d9480f */
                                color?: unknown;
                                /** @description 0 to 1 (default) */
                                opacity?: unknown;
                                /** @description Its edge: a colour; null (default): none */
                                stroke?: unknown;
                                /** @description Pixels, 0 to 100; default 1 */
                                strokeWidth?: unknown;
                            };
                            /** @description What is written; null (default): nothing */
                            label?: {
                                /** @description Required: the code of the column whose values are written */
                                column?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                font?: unknown;
                                /** @description Pixels, 4 to 200; default 12 */
                                size?: unknown;
                                /** @description A colour; default #333333 */
                                color?: unknown;
                                /** @description Around the letters: a colour; null (default): none */
                                halo?: unknown;
                                /** @description Pixels, 0 to 20; default 1.5 */
                                haloWidth?: unknown;
                                /** @description The zoom level from which on it is written, 0 (default) to 24 */
                                minZoom?: unknown;
                            };
                        };
                        /** @description A visualization of the types 1 to 7, replaced as a whole: what is absent has its default. Colours are #rrggbb, #rgb or rgb(r, g, b) */
                        visualSettings?: {
                            /** @description Of the visualization; not to be changed */
                            id?: unknown;
                            /** @description Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map */
                            type?: unknown;
                            /** @description Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none */
                            column?: unknown;
                            /** @description Its code, in place of the id */
                            columnCode?: unknown;
                            /** @description Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks */
                            algorithm?: unknown;
                            /** @description Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3 */
                            classesCount?: unknown;
                            /** @description By type */
                            classesSettings?: {
                                /** @description 0 to 1; default 0.9 (type 3: 0.75; type 7 has layerOpacity) */
                                opacity?: unknown;
                                /** @description Types 1 and 2: of lines, pixels, 0.1 to 50; default 2 */
                                lineWidth?: unknown;
                                /** @description Types 1 and 2: solid (default), dash, dot or dashdot */
                                linePattern?: unknown;
                                /** @description Type 1: colour of the lowest class; default #ffffcc */
                                minColor?: unknown;
                                /** @description Type 1: colour in the middle, null: none; default #41b6c4 */
                                midColor?: unknown;
                                /** @description Type 1: colour of the highest class; default #253494 */
                                maxColor?: unknown;
                                /** @description Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd */
                                noDataColor?: unknown;
                                /** @description Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data */
                                limits?: unknown;
                                /** @description Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values */
                                classes?: unknown;
                                /** @description Type 2: whether the service made the classes; sent back they are made again */
                                computed?: unknown;
                                /** @description Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked} */
                                defaultClass?: unknown;
                                /** @description Type 3: default #e6550d */
                                color?: unknown;
                                /** @description Type 3: least width, pixels, 1 to 200; default 4 */
                                pointSizeMin?: unknown;
                                /** @description Type 3: greatest width, pixels, 1 to 200; default 40 */
                                pointSizeMax?: unknown;
                                /** @description Type 3: the name of an icon */
                                icon?: unknown;
                                /** @description Type 3: whether it is drawn in place of a circle; default false */
                                useIcon?: unknown;
                                /** @description Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters */
                                columns?: unknown;
                                /** @description Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column */
                                sizeType?: unknown;
                                /** @description Types 4 to 6: fixed width, pixels, 4 to 200; default 40 */
                                sizeValue?: unknown;
                                /** @description Types 4 to 6: least width, pixels, 4 to 200; default 20 */
                                sizeFrom?: unknown;
                                /** @description Types 4 to 6: greatest width, pixels, 4 to 200; default 60 */
                                sizeTo?: unknown;
                                /** @description Types 4 to 6: id of the column of sizeType 3 */
                                sizeColumn?: unknown;
                                /** @description Types 4 to 6: its code, in place of the id */
                                sizeColumnCode?: unknown;
                                /** @description Types 5 and 6: whether axes are drawn; default false */
                                showScale?: unknown;
                                /** @description Types 4 to 6: whether charts may touch; default true */
                                allowOverlap?: unknown;
                                /** @description Type 7: fixed (default) or field */
                                markerSizeType?: unknown;
                                /** @description Type 7: how far an object reaches, pixels, 2 to 100; default 20 */
                                markerSize?: unknown;
                                /** @description Type 7: the least of field, pixels, 2 to 100; default 8 */
                                markerSizeMin?: unknown;
                                /** @description Type 7: the greatest of field, pixels, 2 to 100; default 40 */
                                markerSizeMax?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                markerSizeField?: unknown;
                                /** @description Type 7: factor of the density, 0 to 1 (default) */
                                markerOpacity?: unknown;
                                /** @description Type 7: 0 to 1; default 0.85 */
                                layerOpacity?: unknown;
                                /** @description Type 7: whether objects count as useWeightField says; default false */
                                useWeight?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                useWeightField?: unknown;
                                /** @description Type 7: whether weights count from 0 to 1; default false */
                                weightNormalize?: unknown;
                                /** @description Type 7: the weight that counts 0; default null: the least of the data */
                                weightNormalizeMin?: unknown;
                                /** @description Type 7: the weight that counts 1; default null: the greatest of the data */
                                weightNormalizeMax?: unknown;
                                /** @description Type 7: whether sizes grow with the map; default false */
                                linkToScale?: unknown;
                                /** @description Type 7: the zoom level at which they hold, 0 to 24; default 5 */
                                linkToScaleZoom?: unknown;
                                /** @description Type 7: 2 to 20 colours from cold to hot */
                                colors?: unknown;
                            };
                            /** @description Markers of points */
                            pointSettings?: {
                                /** @description Whether size counts; default false: 10 pixels */
                                sizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 200; default 10 */
                                size?: unknown;
                                /** @description Whether markers may touch; default true */
                                allowOverlap?: unknown;
                            };
                            /** @description Whether areas and markers have an edge, and lines a casing; default true */
                            showBorder?: unknown;
                            /** @description The edge */
                            borderSettings?: {
                                /** @description Default #ffffff */
                                color?: unknown;
                                /** @description Pixels, 0 to 20; default 0.5 */
                                width?: unknown;
                                /** @description 0 to 1; default 1 */
                                opacity?: unknown;
                                /** @description solid (default), dash, dot or dashdot */
                                pattern?: unknown;
                            };
                            /** @description Whether labels are written; default false */
                            showText?: unknown;
                            /** @description Labels */
                            textSettings?: {
                                /** @description Code of the column that is written; required where showText is true */
                                column?: unknown;
                                /** @description Pixels, 4 to 72; default 11 */
                                fontSize?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                fontFamily?: unknown;
                                /** @description Default #333333 */
                                fontColor?: unknown;
                                /** @description 0 to 1; default 1 */
                                fontOpacity?: unknown;
                                /** @description Whether letters have a halo; default true */
                                halo?: unknown;
                                /** @description Default #ffffff */
                                haloColor?: unknown;
                                /** @description Pixels, 0 to 10; default 1.5 */
                                haloWidth?: unknown;
                                /** @description 0 to 1; default 1 */
                                haloOpacity?: unknown;
                                /** @description Whether labels may touch; default false */
                                allowOverlap?: unknown;
                                /** @description Whether textOffset counts; default false */
                                offsetEnabled?: unknown;
                                /** @description Below the place, pixels, -200 to 200; default 0 */
                                textOffset?: unknown;
                            };
                            /** @description Whether viewers show the legend; default true */
                            showLegend?: unknown;
                            /** @description Whether its title is shown; default true */
                            showLegendName?: unknown;
                            /** @description Its title, at most 1,000 characters; default empty: the name of the layer */
                            legendName?: unknown;
                            /** @description Titles by language: at most 200 of {language: title}; they go before legendName */
                            legendNames?: unknown;
                            /** @description Whether numbers of objects are shown; default true */
                            showValues?: unknown;
                        };
                        /** @description id; type, the name of the plugin: hexbin; columns, UUID → id of a column; icons, UUID → path of an icon; settings, those of the plugin, which name columns and icons by their UUIDs */
                        visualCustomSettings?: {
                            [key: string]: unknown;
                        };
                        /** @description How a client draws the layer where render_type is 1; in a change what is absent keeps its value */
                        vectorSettings?: {
                            /** @description The layer; not to be changed */
                            id?: unknown;
                            /** @description Whether minZoom and maxZoom count; default false */
                            zoomsEnabled?: unknown;
                            /** @description Zoom level, 0 (default) to 24 */
                            minZoom?: unknown;
                            /** @description Zoom level, 0 to 24 (default) */
                            maxZoom?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesPolygon?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesText?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesLine?: unknown;
                            /** @description Of points */
                            stylesPoint?: {
                                /** @description Path of an icon; default empty: a circle */
                                icon?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                            };
                            /** @description Whether points that are near are drawn as one; default false */
                            clusteringEnabled?: unknown;
                            /** @description Of clusters */
                            clusterSettings?: {
                                /** @description client */
                                clusteringType?: unknown;
                                /** @description How near, pixels, 1 to 500; default 50 */
                                radius?: unknown;
                                /** @description Whether maxZoom counts; default false */
                                maxZoomEnabled?: unknown;
                                /** @description The last zoom level with clusters, 0 to 24; default 16 */
                                maxZoom?: unknown;
                                /** @description Whether icon is drawn; default false */
                                iconEnabled?: unknown;
                                /** @description Path of an icon; default empty */
                                icon?: unknown;
                                /** @description Whether the icon is wider where there are more objects; default false */
                                iconSizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 512; default 30 */
                                iconSizeMin?: unknown;
                                /** @description Width, pixels, 1 to 512; default 60 */
                                iconSizeMax?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                                /** @description Whether the number of objects is written; default true */
                                showObjectsCount?: unknown;
                                /** @description Of the number, to the right. Pixels, -500 to 500; default 0 */
                                objectsCountDx?: unknown;
                                /** @description Of the number, down. Pixels, -500 to 500; default 0 */
                                objectsCountDy?: unknown;
                                /** @description Whether objects of other categories of the visualization are other clusters; default false */
                                splitByCategories?: unknown;
                            };
                            /** @description Whether a click shows the value of a column; default false */
                            showPopup?: unknown;
                            /** @description Id of the column; null (default): none */
                            popupColumn?: unknown;
                            /** @description Code of the column, in place of its id */
                            popupColumnCode?: unknown;
                        };
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putMapLayer: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Made by the service when absent */
                    code?: string;
                    /** @description Whether the name is a text per language */
                    localized_name?: boolean;
                    /**
                     * @description layer (objects), virtual (the result of json.query), material (the same, stored), raster (an image) or external (pictures of another server)
                     * @default layer
                     */
                    type?: string;
                    /** @description A name, or language code → name where localized_name */
                    name?: string | {
                        [key: string]: string;
                    };
                    /** @description The map (default) or a folder of it */
                    parent_id?: number;
                    /** @description Place in the parent, a fraction lies between; siblings are numbered anew */
                    sort?: number;
                    /** @description CartoCSS; `#code` or `#layer` selects the layer */
                    css_style?: string;
                    /** @description Metadata of a raster */
                    meta?: {
                        [key: string]: unknown;
                    };
                    /** @description Settings of the layer. virtual, material: query, one SELECT over layers written map_code.layer_code, with a column svc_id and, where it has geometry, geom. external: type (xyz, tms, wms), url, subdomains, minZoom, maxZoom, tileSize, extent, attribution, missing, fetch, and of a WMS layers, styles, version, format */
                    json?: {
                        [key: string]: unknown;
                    };
                    /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                    render_settings?: {
                        /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                        minZoom?: unknown;
                        /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                        maxZoom?: unknown;
                        /** @description 0 to 1 (default); times that of the map */
                        opacity?: unknown;
                        /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                        buffer?: unknown;
                        /** @description Whether tiles are kept in memory; default true */
                        cache?: unknown;
                    };
                    /**
                     * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                     * @enum {unknown}
                     */
                    render_type?: 0 | 1;
                    selected?: boolean;
                    /** @description Path of an icon */
                    icon?: string;
                    /** @description A style of colours and sizes, of which css_style is made; style_mode becomes 1. null: the CartoCSS stays */
                    simpleStyle?: {
                        /** @description Inside of areas: a colour; null (default): not filled */
                        fill?: unknown;
                        /** @description 0 to 1 (default) */
                        fillOpacity?: unknown;
                        /** @description Lines, and outlines of areas: a colour; null (default): none */
                        stroke?: unknown;
                        /** @description Pixels, 0 to 100; default 1 */
                        strokeWidth?: unknown;
                        /** @description 0 to 1 (default) */
                        strokeOpacity?: unknown;
                        /** @description Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line */
                        strokeDash?: unknown;
                        /** @description What stands for points; null (default): nothing */
                        marker?: {
                            /** @description circle (default), arrow, square, triangle, diamond, star, cross or pin */
                            shape?: unknown;
                            /** @description The name of an icon of the project, which goes before the shape; default empty */
                            icon?: unknown;
                            /** @description Width, pixels, 1 to 500; default 10 */
                            size?: unknown;
                            /** @description A colour; default #d9480f */
                            color?: unknown;
                            /** @description 0 to 1 (default) */
                            opacity?: unknown;
                            /** @description Its edge: a colour; null (default): none */
                            stroke?: unknown;
                            /** @description Pixels, 0 to 100; default 1 */
                            strokeWidth?: unknown;
                        };
                        /** @description What is written; null (default): nothing */
                        label?: {
                            /** @description Required: the code of the column whose values are written */
                            column?: unknown;
                            /** @description The full name of a font of the service; default DejaVu Sans Book */
                            font?: unknown;
                            /** @description Pixels, 4 to 200; default 12 */
                            size?: unknown;
                            /** @description A colour; default #333333 */
                            color?: unknown;
                            /** @description Around the letters: a colour; null (default): none */
                            halo?: unknown;
                            /** @description Pixels, 0 to 20; default 1.5 */
                            haloWidth?: unknown;
                            /** @description The zoom level from which on it is written, 0 (default) to 24 */
                            minZoom?: unknown;
                        };
                    } | null;
                    /** @description How a client draws the layer where render_type is 1; in a change what is absent keeps its value */
                    vectorSettings?: {
                        /** @description The layer; not to be changed */
                        id?: unknown;
                        /** @description Whether minZoom and maxZoom count; default false */
                        zoomsEnabled?: unknown;
                        /** @description Zoom level, 0 (default) to 24 */
                        minZoom?: unknown;
                        /** @description Zoom level, 0 to 24 (default) */
                        maxZoom?: unknown;
                        /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                        stylesPolygon?: unknown;
                        /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                        stylesText?: unknown;
                        /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                        stylesLine?: unknown;
                        /** @description Of points */
                        stylesPoint?: {
                            /** @description Path of an icon; default empty: a circle */
                            icon?: unknown;
                            /** @description Whether iconDx and iconDy count; default false */
                            iconOffsetEnabled?: unknown;
                            /** @description To the right. Pixels, -500 to 500; default 0 */
                            iconDx?: unknown;
                            /** @description Down. Pixels, -500 to 500; default 0 */
                            iconDy?: unknown;
                        };
                        /** @description Whether points that are near are drawn as one; default false */
                        clusteringEnabled?: unknown;
                        /** @description Of clusters */
                        clusterSettings?: {
                            /** @description client */
                            clusteringType?: unknown;
                            /** @description How near, pixels, 1 to 500; default 50 */
                            radius?: unknown;
                            /** @description Whether maxZoom counts; default false */
                            maxZoomEnabled?: unknown;
                            /** @description The last zoom level with clusters, 0 to 24; default 16 */
                            maxZoom?: unknown;
                            /** @description Whether icon is drawn; default false */
                            iconEnabled?: unknown;
                            /** @description Path of an icon; default empty */
                            icon?: unknown;
                            /** @description Whether the icon is wider where there are more objects; default false */
                            iconSizeEnabled?: unknown;
                            /** @description Width, pixels, 1 to 512; default 30 */
                            iconSizeMin?: unknown;
                            /** @description Width, pixels, 1 to 512; default 60 */
                            iconSizeMax?: unknown;
                            /** @description Whether iconDx and iconDy count; default false */
                            iconOffsetEnabled?: unknown;
                            /** @description To the right. Pixels, -500 to 500; default 0 */
                            iconDx?: unknown;
                            /** @description Down. Pixels, -500 to 500; default 0 */
                            iconDy?: unknown;
                            /** @description Whether the number of objects is written; default true */
                            showObjectsCount?: unknown;
                            /** @description Of the number, to the right. Pixels, -500 to 500; default 0 */
                            objectsCountDx?: unknown;
                            /** @description Of the number, down. Pixels, -500 to 500; default 0 */
                            objectsCountDy?: unknown;
                            /** @description Whether objects of other categories of the visualization are other clusters; default false */
                            splitByCategories?: unknown;
                        };
                        /** @description Whether a click shows the value of a column; default false */
                        showPopup?: unknown;
                        /** @description Id of the column; null (default): none */
                        popupColumn?: unknown;
                        /** @description Code of the column, in place of its id */
                        popupColumnCode?: unknown;
                    };
                    /** @description A visualization of the types 1 to 7 (docs/guide/visualizations.md); null removes it */
                    visualSettings?: {
                        /** @description Of the visualization; not to be changed */
                        id?: unknown;
                        /** @description Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map */
                        type?: unknown;
                        /** @description Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none */
                        column?: unknown;
                        /** @description Its code, in place of the id */
                        columnCode?: unknown;
                        /** @description Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks */
                        algorithm?: unknown;
                        /** @description Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3 */
                        classesCount?: unknown;
                        /** @description By type */
                        classesSettings?: {
                            /** @description 0 to 1; default 0.9 (type 3: 0.75; type 7 has layerOpacity) */
                            opacity?: unknown;
                            /** @description Types 1 and 2: of lines, pixels, 0.1 to 50; default 2 */
                            lineWidth?: unknown;
                            /** @description Types 1 and 2: solid (default), dash, dot or dashdot */
                            linePattern?: unknown;
                            /** @description Type 1: colour of the lowest class; default #ffffcc */
                            minColor?: unknown;
                            /** @description Type 1: colour in the middle, null: none; default #41b6c4 */
                            midColor?: unknown;
                            /** @description Type 1: colour of the highest class; default #253494 */
                            maxColor?: unknown;
                            /** @description Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd */
                            noDataColor?: unknown;
                            /** @description Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data */
                            limits?: unknown;
                            /** @description Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values */
                            classes?: unknown;
                            /** @description Type 2: whether the service made the classes; sent back they are made again */
                            computed?: unknown;
                            /** @description Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked} */
                            defaultClass?: unknown;
                            /** @description Type 3: default #e6550d */
                            color?: unknown;
                            /** @description Type 3: least width, pixels, 1 to 200; default 4 */
                            pointSizeMin?: unknown;
                            /** @description Type 3: greatest width, pixels, 1 to 200; default 40 */
                            pointSizeMax?: unknown;
                            /** @description Type 3: the name of an icon */
                            icon?: unknown;
                            /** @description Type 3: whether it is drawn in place of a circle; default false */
                            useIcon?: unknown;
                            /** @description Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters */
                            columns?: unknown;
                            /** @description Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column */
                            sizeType?: unknown;
                            /** @description Types 4 to 6: fixed width, pixels, 4 to 200; default 40 */
                            sizeValue?: unknown;
                            /** @description Types 4 to 6: least width, pixels, 4 to 200; default 20 */
                            sizeFrom?: unknown;
                            /** @description Types 4 to 6: greatest width, pixels, 4 to 200; default 60 */
                            sizeTo?: unknown;
                            /** @description Types 4 to 6: id of the column of sizeType 3 */
                            sizeColumn?: unknown;
                            /** @description Types 4 to 6: its code, in place of the id */
                            sizeColumnCode?: unknown;
                            /** @description Types 5 and 6: whether axes are drawn; default false */
                            showScale?: unknown;
                            /** @description Types 4 to 6: whether charts may touch; default true */
                            allowOverlap?: unknown;
                            /** @description Type 7: fixed (default) or field */
                            markerSizeType?: unknown;
                            /** @description Type 7: how far an object reaches, pixels, 2 to 100; default 20 */
                            markerSize?: unknown;
                            /** @description Type 7: the least of field, pixels, 2 to 100; default 8 */
                            markerSizeMin?: unknown;
                            /** @description Type 7: the greatest of field, pixels, 2 to 100; default 40 */
                            markerSizeMax?: unknown;
                            /** @description Type 7: id or code of a column of numbers */
                            markerSizeField?: unknown;
                            /** @description Type 7: factor of the density, 0 to 1 (default) */
                            markerOpacity?: unknown;
                            /** @description Type 7: 0 to 1; default 0.85 */
                            layerOpacity?: unknown;
                            /** @description Type 7: whether objects count as useWeightField says; default false */
                            useWeight?: unknown;
                            /** @description Type 7: id or code of a column of numbers */
                            useWeightField?: unknown;
                            /** @description Type 7: whether weights count from 0 to 1; default false */
                            weightNormalize?: unknown;
                            /** @description Type 7: the weight that counts 0; default null: the least of the data */
                            weightNormalizeMin?: unknown;
                            /** @description Type 7: the weight that counts 1; default null: the greatest of the data */
                            weightNormalizeMax?: unknown;
                            /** @description Type 7: whether sizes grow with the map; default false */
                            linkToScale?: unknown;
                            /** @description Type 7: the zoom level at which they hold, 0 to 24; default 5 */
                            linkToScaleZoom?: unknown;
                            /** @description Type 7: 2 to 20 colours from cold to hot */
                            colors?: unknown;
                        };
                        /** @description Markers of points */
                        pointSettings?: {
                            /** @description Whether size counts; default false: 10 pixels */
                            sizeEnabled?: unknown;
                            /** @description Width, pixels, 1 to 200; default 10 */
                            size?: unknown;
                            /** @description Whether markers may touch; default true */
                            allowOverlap?: unknown;
                        };
                        /** @description Whether areas and markers have an edge, and lines a casing; default true */
                        showBorder?: unknown;
                        /** @description The edge */
                        borderSettings?: {
                            /** @description Default #ffffff */
                            color?: unknown;
                            /** @description Pixels, 0 to 20; default 0.5 */
                            width?: unknown;
                            /** @description 0 to 1; default 1 */
                            opacity?: unknown;
                            /** @description solid (default), dash, dot or dashdot */
                            pattern?: unknown;
                        };
                        /** @description Whether labels are written; default false */
                        showText?: unknown;
                        /** @description Labels */
                        textSettings?: {
                            /** @description Code of the column that is written; required where showText is true */
                            column?: unknown;
                            /** @description Pixels, 4 to 72; default 11 */
                            fontSize?: unknown;
                            /** @description The full name of a font of the service; default DejaVu Sans Book */
                            fontFamily?: unknown;
                            /** @description Default #333333 */
                            fontColor?: unknown;
                            /** @description 0 to 1; default 1 */
                            fontOpacity?: unknown;
                            /** @description Whether letters have a halo; default true */
                            halo?: unknown;
                            /** @description Default #ffffff */
                            haloColor?: unknown;
                            /** @description Pixels, 0 to 10; default 1.5 */
                            haloWidth?: unknown;
                            /** @description 0 to 1; default 1 */
                            haloOpacity?: unknown;
                            /** @description Whether labels may touch; default false */
                            allowOverlap?: unknown;
                            /** @description Whether textOffset counts; default false */
                            offsetEnabled?: unknown;
                            /** @description Below the place, pixels, -200 to 200; default 0 */
                            textOffset?: unknown;
                        };
                        /** @description Whether viewers show the legend; default true */
                        showLegend?: unknown;
                        /** @description Whether its title is shown; default true */
                        showLegendName?: unknown;
                        /** @description Its title, at most 1,000 characters; default empty: the name of the layer */
                        legendName?: unknown;
                        /** @description Titles by language: at most 200 of {language: title}; they go before legendName */
                        legendNames?: unknown;
                        /** @description Whether numbers of objects are shown; default true */
                        showValues?: unknown;
                    } | null;
                    /** @description A custom visualization by a plugin (docs/guide/custom-visualizations.md); it takes the place of visualSettings, and they of it; null removes it */
                    visualCustomSettings?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description layer or virtual */
                        type: string;
                        code: string;
                        name: string;
                        sort: number;
                        parent_id: number;
                        selected: boolean;
                        /** @description The same as id */
                        map_layer_id: number;
                        icon: string;
                        css_style: string;
                        /**
                         * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description 0 not set, 1 simple style, 2 CartoCSS, 3 visualization, 4 custom visualization */
                        style_mode: number;
                        /** @description Metadata of a raster */
                        meta: {
                            [key: string]: unknown;
                        };
                        /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                        render_settings: {
                            /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                            minZoom?: unknown;
                            /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                            maxZoom?: unknown;
                            /** @description 0 to 1 (default); times that of the map */
                            opacity?: unknown;
                            /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                            buffer?: unknown;
                            /** @description Whether tiles are kept in memory; default true */
                            cache?: unknown;
                        };
                        /** @description null: nothing in the layer has a geometry */
                        bbox?: {
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            sw: number[];
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            ne: number[];
                        } | null;
                        /** @description Settings of the layer; its query only for those who may edit it; of a materialized layer also refreshed: at, rows */
                        json: {
                            [key: string]: unknown;
                        };
                        /** @description A style of colours and sizes, in place of css_style. Colours are #rgb or #rrggbb */
                        simpleStyle?: {
                            /** @description Inside of areas: a colour; null (default): not filled */
                            fill?: unknown;
                            /** @description 0 to 1 (default) */
                            fillOpacity?: unknown;
                            /** @description Lines, and outlines of areas: a colour; null (default): none */
                            stroke?: unknown;
                            /** @description Pixels, 0 to 100; default 1 */
                            strokeWidth?: unknown;
                            /** @description 0 to 1 (default) */
                            strokeOpacity?: unknown;
                            /** @description Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line */
                            strokeDash?: unknown;
                            /** @description What stands for points; null (default): nothing */
                            marker?: {
                                /** @description circle (default), arrow, square, triangle, diamond, star, cross or pin */
                                shape?: unknown;
                                /** @description The name of an icon of the project, which goes before the shape; default empty */
                                icon?: unknown;
                                /** @description Width, pixels, 1 to 500; default 10 */
                                size?: unknown;
                                /** @description A colour; default #d9480f */
                                color?: unknown;
                                /** @description 0 to 1 (default) */
                                opacity?: unknown;
                                /** @description Its edge: a colour; null (default): none */
                                stroke?: unknown;
                                /** @description Pixels, 0 to 100; default 1 */
                                strokeWidth?: unknown;
                            };
                            /** @description What is written; null (default): nothing */
                            label?: {
                                /** @description Required: the code of the column whose values are written */
                                column?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                font?: unknown;
                                /** @description Pixels, 4 to 200; default 12 */
                                size?: unknown;
                                /** @description A colour; default #333333 */
                                color?: unknown;
                                /** @description Around the letters: a colour; null (default): none */
                                halo?: unknown;
                                /** @description Pixels, 0 to 20; default 1.5 */
                                haloWidth?: unknown;
                                /** @description The zoom level from which on it is written, 0 (default) to 24 */
                                minZoom?: unknown;
                            };
                        };
                        /** @description A visualization of the types 1 to 7, replaced as a whole: what is absent has its default. Colours are #rrggbb, #rgb or rgb(r, g, b) */
                        visualSettings?: {
                            /** @description Of the visualization; not to be changed */
                            id?: unknown;
                            /** @description Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map */
                            type?: unknown;
                            /** @description Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none */
                            column?: unknown;
                            /** @description Its code, in place of the id */
                            columnCode?: unknown;
                            /** @description Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks */
                            algorithm?: unknown;
                            /** @description Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3 */
                            classesCount?: unknown;
                            /** @description By type */
                            classesSettings?: {
                                /** @description 0 to 1; default 0.9 (type 3: 0.75; type 7 has layerOpacity) */
                                opacity?: unknown;
                                /** @description Types 1 and 2: of lines, pixels, 0.1 to 50; default 2 */
                                lineWidth?: unknown;
                                /** @description Types 1 and 2: solid (default), dash, dot or dashdot */
                                linePattern?: unknown;
                                /** @description Type 1: colour of the lowest class; default #ffffcc */
                                minColor?: unknown;
                                /** @description Type 1: colour in the middle, null: none; default #41b6c4 */
                                midColor?: unknown;
                                /** @description Type 1: colour of the highest class; default #253494 */
                                maxColor?: unknown;
                                /** @description Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd */
                                noDataColor?: unknown;
                                /** @description Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data */
                                limits?: unknown;
                                /** @description Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values */
                                classes?: unknown;
                                /** @description Type 2: whether the service made the classes; sent back they are made again */
                                computed?: unknown;
                                /** @description Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked} */
                                defaultClass?: unknown;
                                /** @description Type 3: default #e6550d */
                                color?: unknown;
                                /** @description Type 3: least width, pixels, 1 to 200; default 4 */
                                pointSizeMin?: unknown;
                                /** @description Type 3: greatest width, pixels, 1 to 200; default 40 */
                                pointSizeMax?: unknown;
                                /** @description Type 3: the name of an icon */
                                icon?: unknown;
                                /** @description Type 3: whether it is drawn in place of a circle; default false */
                                useIcon?: unknown;
                                /** @description Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters */
                                columns?: unknown;
                                /** @description Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column */
                                sizeType?: unknown;
                                /** @description Types 4 to 6: fixed width, pixels, 4 to 200; default 40 */
                                sizeValue?: unknown;
                                /** @description Types 4 to 6: least width, pixels, 4 to 200; default 20 */
                                sizeFrom?: unknown;
                                /** @description Types 4 to 6: greatest width, pixels, 4 to 200; default 60 */
                                sizeTo?: unknown;
                                /** @description Types 4 to 6: id of the column of sizeType 3 */
                                sizeColumn?: unknown;
                                /** @description Types 4 to 6: its code, in place of the id */
                                sizeColumnCode?: unknown;
                                /** @description Types 5 and 6: whether axes are drawn; default false */
                                showScale?: unknown;
                                /** @description Types 4 to 6: whether charts may touch; default true */
                                allowOverlap?: unknown;
                                /** @description Type 7: fixed (default) or field */
                                markerSizeType?: unknown;
                                /** @description Type 7: how far an object reaches, pixels, 2 to 100; default 20 */
                                markerSize?: unknown;
                                /** @description Type 7: the least of field, pixels, 2 to 100; default 8 */
                                markerSizeMin?: unknown;
                                /** @description Type 7: the greatest of field, pixels, 2 to 100; default 40 */
                                markerSizeMax?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                markerSizeField?: unknown;
                                /** @description Type 7: factor of the density, 0 to 1 (default) */
                                markerOpacity?: unknown;
                                /** @description Type 7: 0 to 1; default 0.85 */
                                layerOpacity?: unknown;
                                /** @description Type 7: whether objects count as useWeightField says; default false */
                                useWeight?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                useWeightField?: unknown;
                                /** @description Type 7: whether weights count from 0 to 1; default false */
                                weightNormalize?: unknown;
                                /** @description Type 7: the weight that counts 0; default null: the least of the data */
                                weightNormalizeMin?: unknown;
                                /** @description Type 7: the weight that counts 1; default null: the greatest of the data */
                                weightNormalizeMax?: unknown;
                                /** @description Type 7: whether sizes grow with the map; default false */
                                linkToScale?: unknown;
                                /** @description Type 7: the zoom level at which they hold, 0 to 24; default 5 */
                                linkToScaleZoom?: unknown;
                                /** @description Type 7: 2 to 20 colours from cold to hot */
                                colors?: unknown;
                            };
                            /** @description Markers of points */
                            pointSettings?: {
                                /** @description Whether size counts; default false: 10 pixels */
                                sizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 200; default 10 */
                                size?: unknown;
                                /** @description Whether markers may touch; default true */
                                allowOverlap?: unknown;
                            };
                            /** @description Whether areas and markers have an edge, and lines a casing; default true */
                            showBorder?: unknown;
                            /** @description The edge */
                            borderSettings?: {
                                /** @description Default #ffffff */
                                color?: unknown;
                                /** @description Pixels, 0 to 20; default 0.5 */
                                width?: unknown;
                                /** @description 0 to 1; default 1 */
                                opacity?: unknown;
                                /** @description solid (default), dash, dot or dashdot */
                                pattern?: unknown;
                            };
                            /** @description Whether labels are written; default false */
                            showText?: unknown;
                            /** @description Labels */
                            textSettings?: {
                                /** @description Code of the column that is written; required where showText is true */
                                column?: unknown;
                                /** @description Pixels, 4 to 72; default 11 */
                                fontSize?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                fontFamily?: unknown;
                                /** @description Default #333333 */
                                fontColor?: unknown;
                                /** @description 0 to 1; default 1 */
                                fontOpacity?: unknown;
                                /** @description Whether letters have a halo; default true */
                                halo?: unknown;
                                /** @description Default #ffffff */
                                haloColor?: unknown;
                                /** @description Pixels, 0 to 10; default 1.5 */
                                haloWidth?: unknown;
                                /** @description 0 to 1; default 1 */
                                haloOpacity?: unknown;
                                /** @description Whether labels may touch; default false */
                                allowOverlap?: unknown;
                                /** @description Whether textOffset counts; default false */
                                offsetEnabled?: unknown;
                                /** @description Below the place, pixels, -200 to 200; default 0 */
                                textOffset?: unknown;
                            };
                            /** @description Whether viewers show the legend; default true */
                            showLegend?: unknown;
                            /** @description Whether its title is shown; default true */
                            showLegendName?: unknown;
                            /** @description Its title, at most 1,000 characters; default empty: the name of the layer */
                            legendName?: unknown;
                            /** @description Titles by language: at most 200 of {language: title}; they go before legendName */
                            legendNames?: unknown;
                            /** @description Whether numbers of objects are shown; default true */
                            showValues?: unknown;
                        };
                        /** @description id; type, the name of the plugin: hexbin; columns, UUID → id of a column; icons, UUID → path of an icon; settings, those of the plugin, which name columns and icons by their UUIDs */
                        visualCustomSettings?: {
                            [key: string]: unknown;
                        };
                        /** @description How a client draws the layer where render_type is 1; in a change what is absent keeps its value */
                        vectorSettings?: {
                            /** @description The layer; not to be changed */
                            id?: unknown;
                            /** @description Whether minZoom and maxZoom count; default false */
                            zoomsEnabled?: unknown;
                            /** @description Zoom level, 0 (default) to 24 */
                            minZoom?: unknown;
                            /** @description Zoom level, 0 to 24 (default) */
                            maxZoom?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesPolygon?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesText?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesLine?: unknown;
                            /** @description Of points */
                            stylesPoint?: {
                                /** @description Path of an icon; default empty: a circle */
                                icon?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                            };
                            /** @description Whether points that are near are drawn as one; default false */
                            clusteringEnabled?: unknown;
                            /** @description Of clusters */
                            clusterSettings?: {
                                /** @description client */
                                clusteringType?: unknown;
                                /** @description How near, pixels, 1 to 500; default 50 */
                                radius?: unknown;
                                /** @description Whether maxZoom counts; default false */
                                maxZoomEnabled?: unknown;
                                /** @description The last zoom level with clusters, 0 to 24; default 16 */
                                maxZoom?: unknown;
                                /** @description Whether icon is drawn; default false */
                                iconEnabled?: unknown;
                                /** @description Path of an icon; default empty */
                                icon?: unknown;
                                /** @description Whether the icon is wider where there are more objects; default false */
                                iconSizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 512; default 30 */
                                iconSizeMin?: unknown;
                                /** @description Width, pixels, 1 to 512; default 60 */
                                iconSizeMax?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                                /** @description Whether the number of objects is written; default true */
                                showObjectsCount?: unknown;
                                /** @description Of the number, to the right. Pixels, -500 to 500; default 0 */
                                objectsCountDx?: unknown;
                                /** @description Of the number, down. Pixels, -500 to 500; default 0 */
                                objectsCountDy?: unknown;
                                /** @description Whether objects of other categories of the visualization are other clusters; default false */
                                splitByCategories?: unknown;
                            };
                            /** @description Whether a click shows the value of a column; default false */
                            showPopup?: unknown;
                            /** @description Id of the column; null (default): none */
                            popupColumn?: unknown;
                            /** @description Code of the column, in place of its id */
                            popupColumnCode?: unknown;
                        };
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMapLayer: {
        parameters: {
            query?: {
                /** @description Delete it even if other layers read it or take their values from it */
                force?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchMapLayer: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Made by the service when absent */
                    code?: string;
                    /** @description Whether the name is a text per language */
                    localized_name?: boolean;
                    /**
                     * @description layer (objects), virtual (the result of json.query), material (the same, stored), raster (an image) or external (pictures of another server)
                     * @default layer
                     */
                    type?: string;
                    /** @description A name, or language code → name where localized_name */
                    name?: string | {
                        [key: string]: string;
                    };
                    /** @description The map (default) or a folder of it */
                    parent_id?: number;
                    /** @description Place in the parent, a fraction lies between; siblings are numbered anew */
                    sort?: number;
                    /** @description CartoCSS; `#code` or `#layer` selects the layer */
                    css_style?: string;
                    /** @description Metadata of a raster */
                    meta?: {
                        [key: string]: unknown;
                    };
                    /** @description Settings of the layer. virtual, material: query, one SELECT over layers written map_code.layer_code, with a column svc_id and, where it has geometry, geom. external: type (xyz, tms, wms), url, subdomains, minZoom, maxZoom, tileSize, extent, attribution, missing, fetch, and of a WMS layers, styles, version, format */
                    json?: {
                        [key: string]: unknown;
                    };
                    /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                    render_settings?: {
                        /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                        minZoom?: unknown;
                        /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                        maxZoom?: unknown;
                        /** @description 0 to 1 (default); times that of the map */
                        opacity?: unknown;
                        /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                        buffer?: unknown;
                        /** @description Whether tiles are kept in memory; default true */
                        cache?: unknown;
                    };
                    /**
                     * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                     * @enum {unknown}
                     */
                    render_type?: 0 | 1;
                    selected?: boolean;
                    /** @description Path of an icon */
                    icon?: string;
                    /** @description A style of colours and sizes, of which css_style is made; style_mode becomes 1. null: the CartoCSS stays */
                    simpleStyle?: {
                        /** @description Inside of areas: a colour; null (default): not filled */
                        fill?: unknown;
                        /** @description 0 to 1 (default) */
                        fillOpacity?: unknown;
                        /** @description Lines, and outlines of areas: a colour; null (default): none */
                        stroke?: unknown;
                        /** @description Pixels, 0 to 100; default 1 */
                        strokeWidth?: unknown;
                        /** @description 0 to 1 (default) */
                        strokeOpacity?: unknown;
                        /** @description Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line */
                        strokeDash?: unknown;
                        /** @description What stands for points; null (default): nothing */
                        marker?: {
                            /** @description circle (default), arrow, square, triangle, diamond, star, cross or pin */
                            shape?: unknown;
                            /** @description The name of an icon of the project, which goes before the shape; default empty */
                            icon?: unknown;
                            /** @description Width, pixels, 1 to 500; default 10 */
                            size?: unknown;
                            /** @description A colour; default #d9480f */
                            color?: unknown;
                            /** @description 0 to 1 (default) */
                            opacity?: unknown;
                            /** @description Its edge: a colour; null (default): none */
                            stroke?: unknown;
                            /** @description Pixels, 0 to 100; default 1 */
                            strokeWidth?: unknown;
                        };
                        /** @description What is written; null (default): nothing */
                        label?: {
                            /** @description Required: the code of the column whose values are written */
                            column?: unknown;
                            /** @description The full name of a font of the service; default DejaVu Sans Book */
                            font?: unknown;
                            /** @description Pixels, 4 to 200; default 12 */
                            size?: unknown;
                            /** @description A colour; default #333333 */
                            color?: unknown;
                            /** @description Around the letters: a colour; null (default): none */
                            halo?: unknown;
                            /** @description Pixels, 0 to 20; default 1.5 */
                            haloWidth?: unknown;
                            /** @description The zoom level from which on it is written, 0 (default) to 24 */
                            minZoom?: unknown;
                        };
                    } | null;
                    /** @description How a client draws the layer where render_type is 1; in a change what is absent keeps its value */
                    vectorSettings?: {
                        /** @description The layer; not to be changed */
                        id?: unknown;
                        /** @description Whether minZoom and maxZoom count; default false */
                        zoomsEnabled?: unknown;
                        /** @description Zoom level, 0 (default) to 24 */
                        minZoom?: unknown;
                        /** @description Zoom level, 0 to 24 (default) */
                        maxZoom?: unknown;
                        /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                        stylesPolygon?: unknown;
                        /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                        stylesText?: unknown;
                        /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                        stylesLine?: unknown;
                        /** @description Of points */
                        stylesPoint?: {
                            /** @description Path of an icon; default empty: a circle */
                            icon?: unknown;
                            /** @description Whether iconDx and iconDy count; default false */
                            iconOffsetEnabled?: unknown;
                            /** @description To the right. Pixels, -500 to 500; default 0 */
                            iconDx?: unknown;
                            /** @description Down. Pixels, -500 to 500; default 0 */
                            iconDy?: unknown;
                        };
                        /** @description Whether points that are near are drawn as one; default false */
                        clusteringEnabled?: unknown;
                        /** @description Of clusters */
                        clusterSettings?: {
                            /** @description client */
                            clusteringType?: unknown;
                            /** @description How near, pixels, 1 to 500; default 50 */
                            radius?: unknown;
                            /** @description Whether maxZoom counts; default false */
                            maxZoomEnabled?: unknown;
                            /** @description The last zoom level with clusters, 0 to 24; default 16 */
                            maxZoom?: unknown;
                            /** @description Whether icon is drawn; default false */
                            iconEnabled?: unknown;
                            /** @description Path of an icon; default empty */
                            icon?: unknown;
                            /** @description Whether the icon is wider where there are more objects; default false */
                            iconSizeEnabled?: unknown;
                            /** @description Width, pixels, 1 to 512; default 30 */
                            iconSizeMin?: unknown;
                            /** @description Width, pixels, 1 to 512; default 60 */
                            iconSizeMax?: unknown;
                            /** @description Whether iconDx and iconDy count; default false */
                            iconOffsetEnabled?: unknown;
                            /** @description To the right. Pixels, -500 to 500; default 0 */
                            iconDx?: unknown;
                            /** @description Down. Pixels, -500 to 500; default 0 */
                            iconDy?: unknown;
                            /** @description Whether the number of objects is written; default true */
                            showObjectsCount?: unknown;
                            /** @description Of the number, to the right. Pixels, -500 to 500; default 0 */
                            objectsCountDx?: unknown;
                            /** @description Of the number, down. Pixels, -500 to 500; default 0 */
                            objectsCountDy?: unknown;
                            /** @description Whether objects of other categories of the visualization are other clusters; default false */
                            splitByCategories?: unknown;
                        };
                        /** @description Whether a click shows the value of a column; default false */
                        showPopup?: unknown;
                        /** @description Id of the column; null (default): none */
                        popupColumn?: unknown;
                        /** @description Code of the column, in place of its id */
                        popupColumnCode?: unknown;
                    };
                    /** @description A visualization of the types 1 to 7 (docs/guide/visualizations.md); null removes it */
                    visualSettings?: {
                        /** @description Of the visualization; not to be changed */
                        id?: unknown;
                        /** @description Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map */
                        type?: unknown;
                        /** @description Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none */
                        column?: unknown;
                        /** @description Its code, in place of the id */
                        columnCode?: unknown;
                        /** @description Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks */
                        algorithm?: unknown;
                        /** @description Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3 */
                        classesCount?: unknown;
                        /** @description By type */
                        classesSettings?: {
                            /** @description 0 to 1; default 0.9 (type 3: 0.75; type 7 has layerOpacity) */
                            opacity?: unknown;
                            /** @description Types 1 and 2: of lines, pixels, 0.1 to 50; default 2 */
                            lineWidth?: unknown;
                            /** @description Types 1 and 2: solid (default), dash, dot or dashdot */
                            linePattern?: unknown;
                            /** @description Type 1: colour of the lowest class; default #ffffcc */
                            minColor?: unknown;
                            /** @description Type 1: colour in the middle, null: none; default #41b6c4 */
                            midColor?: unknown;
                            /** @description Type 1: colour of the highest class; default #253494 */
                            maxColor?: unknown;
                            /** @description Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd */
                            noDataColor?: unknown;
                            /** @description Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data */
                            limits?: unknown;
                            /** @description Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values */
                            classes?: unknown;
                            /** @description Type 2: whether the service made the classes; sent back they are made again */
                            computed?: unknown;
                            /** @description Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked} */
                            defaultClass?: unknown;
                            /** @description Type 3: default #e6550d */
                            color?: unknown;
                            /** @description Type 3: least width, pixels, 1 to 200; default 4 */
                            pointSizeMin?: unknown;
                            /** @description Type 3: greatest width, pixels, 1 to 200; default 40 */
                            pointSizeMax?: unknown;
                            /** @description Type 3: the name of an icon */
                            icon?: unknown;
                            /** @description Type 3: whether it is drawn in place of a circle; default false */
                            useIcon?: unknown;
                            /** @description Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters */
                            columns?: unknown;
                            /** @description Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column */
                            sizeType?: unknown;
                            /** @description Types 4 to 6: fixed width, pixels, 4 to 200; default 40 */
                            sizeValue?: unknown;
                            /** @description Types 4 to 6: least width, pixels, 4 to 200; default 20 */
                            sizeFrom?: unknown;
                            /** @description Types 4 to 6: greatest width, pixels, 4 to 200; default 60 */
                            sizeTo?: unknown;
                            /** @description Types 4 to 6: id of the column of sizeType 3 */
                            sizeColumn?: unknown;
                            /** @description Types 4 to 6: its code, in place of the id */
                            sizeColumnCode?: unknown;
                            /** @description Types 5 and 6: whether axes are drawn; default false */
                            showScale?: unknown;
                            /** @description Types 4 to 6: whether charts may touch; default true */
                            allowOverlap?: unknown;
                            /** @description Type 7: fixed (default) or field */
                            markerSizeType?: unknown;
                            /** @description Type 7: how far an object reaches, pixels, 2 to 100; default 20 */
                            markerSize?: unknown;
                            /** @description Type 7: the least of field, pixels, 2 to 100; default 8 */
                            markerSizeMin?: unknown;
                            /** @description Type 7: the greatest of field, pixels, 2 to 100; default 40 */
                            markerSizeMax?: unknown;
                            /** @description Type 7: id or code of a column of numbers */
                            markerSizeField?: unknown;
                            /** @description Type 7: factor of the density, 0 to 1 (default) */
                            markerOpacity?: unknown;
                            /** @description Type 7: 0 to 1; default 0.85 */
                            layerOpacity?: unknown;
                            /** @description Type 7: whether objects count as useWeightField says; default false */
                            useWeight?: unknown;
                            /** @description Type 7: id or code of a column of numbers */
                            useWeightField?: unknown;
                            /** @description Type 7: whether weights count from 0 to 1; default false */
                            weightNormalize?: unknown;
                            /** @description Type 7: the weight that counts 0; default null: the least of the data */
                            weightNormalizeMin?: unknown;
                            /** @description Type 7: the weight that counts 1; default null: the greatest of the data */
                            weightNormalizeMax?: unknown;
                            /** @description Type 7: whether sizes grow with the map; default false */
                            linkToScale?: unknown;
                            /** @description Type 7: the zoom level at which they hold, 0 to 24; default 5 */
                            linkToScaleZoom?: unknown;
                            /** @description Type 7: 2 to 20 colours from cold to hot */
                            colors?: unknown;
                        };
                        /** @description Markers of points */
                        pointSettings?: {
                            /** @description Whether size counts; default false: 10 pixels */
                            sizeEnabled?: unknown;
                            /** @description Width, pixels, 1 to 200; default 10 */
                            size?: unknown;
                            /** @description Whether markers may touch; default true */
                            allowOverlap?: unknown;
                        };
                        /** @description Whether areas and markers have an edge, and lines a casing; default true */
                        showBorder?: unknown;
                        /** @description The edge */
                        borderSettings?: {
                            /** @description Default #ffffff */
                            color?: unknown;
                            /** @description Pixels, 0 to 20; default 0.5 */
                            width?: unknown;
                            /** @description 0 to 1; default 1 */
                            opacity?: unknown;
                            /** @description solid (default), dash, dot or dashdot */
                            pattern?: unknown;
                        };
                        /** @description Whether labels are written; default false */
                        showText?: unknown;
                        /** @description Labels */
                        textSettings?: {
                            /** @description Code of the column that is written; required where showText is true */
                            column?: unknown;
                            /** @description Pixels, 4 to 72; default 11 */
                            fontSize?: unknown;
                            /** @description The full name of a font of the service; default DejaVu Sans Book */
                            fontFamily?: unknown;
                            /** @description Default #333333 */
                            fontColor?: unknown;
                            /** @description 0 to 1; default 1 */
                            fontOpacity?: unknown;
                            /** @description Whether letters have a halo; default true */
                            halo?: unknown;
                            /** @description Default #ffffff */
                            haloColor?: unknown;
                            /** @description Pixels, 0 to 10; default 1.5 */
                            haloWidth?: unknown;
                            /** @description 0 to 1; default 1 */
                            haloOpacity?: unknown;
                            /** @description Whether labels may touch; default false */
                            allowOverlap?: unknown;
                            /** @description Whether textOffset counts; default false */
                            offsetEnabled?: unknown;
                            /** @description Below the place, pixels, -200 to 200; default 0 */
                            textOffset?: unknown;
                        };
                        /** @description Whether viewers show the legend; default true */
                        showLegend?: unknown;
                        /** @description Whether its title is shown; default true */
                        showLegendName?: unknown;
                        /** @description Its title, at most 1,000 characters; default empty: the name of the layer */
                        legendName?: unknown;
                        /** @description Titles by language: at most 200 of {language: title}; they go before legendName */
                        legendNames?: unknown;
                        /** @description Whether numbers of objects are shown; default true */
                        showValues?: unknown;
                    } | null;
                    /** @description A custom visualization by a plugin (docs/guide/custom-visualizations.md); it takes the place of visualSettings, and they of it; null removes it */
                    visualCustomSettings?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description layer or virtual */
                        type: string;
                        code: string;
                        name: string;
                        sort: number;
                        parent_id: number;
                        selected: boolean;
                        /** @description The same as id */
                        map_layer_id: number;
                        icon: string;
                        css_style: string;
                        /**
                         * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description 0 not set, 1 simple style, 2 CartoCSS, 3 visualization, 4 custom visualization */
                        style_mode: number;
                        /** @description Metadata of a raster */
                        meta: {
                            [key: string]: unknown;
                        };
                        /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                        render_settings: {
                            /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                            minZoom?: unknown;
                            /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                            maxZoom?: unknown;
                            /** @description 0 to 1 (default); times that of the map */
                            opacity?: unknown;
                            /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                            buffer?: unknown;
                            /** @description Whether tiles are kept in memory; default true */
                            cache?: unknown;
                        };
                        /** @description null: nothing in the layer has a geometry */
                        bbox?: {
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            sw: number[];
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            ne: number[];
                        } | null;
                        /** @description Settings of the layer; its query only for those who may edit it; of a materialized layer also refreshed: at, rows */
                        json: {
                            [key: string]: unknown;
                        };
                        /** @description A style of colours and sizes, in place of css_style. Colours are #rgb or #rrggbb */
                        simpleStyle?: {
                            /** @description Inside of areas: a colour; null (default): not filled */
                            fill?: unknown;
                            /** @description 0 to 1 (default) */
                            fillOpacity?: unknown;
                            /** @description Lines, and outlines of areas: a colour; null (default): none */
                            stroke?: unknown;
                            /** @description Pixels, 0 to 100; default 1 */
                            strokeWidth?: unknown;
                            /** @description 0 to 1 (default) */
                            strokeOpacity?: unknown;
                            /** @description Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line */
                            strokeDash?: unknown;
                            /** @description What stands for points; null (default): nothing */
                            marker?: {
                                /** @description circle (default), arrow, square, triangle, diamond, star, cross or pin */
                                shape?: unknown;
                                /** @description The name of an icon of the project, which goes before the shape; default empty */
                                icon?: unknown;
                                /** @description Width, pixels, 1 to 500; default 10 */
                                size?: unknown;
                                /** @description A colour; default #d9480f */
                                color?: unknown;
                                /** @description 0 to 1 (default) */
                                opacity?: unknown;
                                /** @description Its edge: a colour; null (default): none */
                                stroke?: unknown;
                                /** @description Pixels, 0 to 100; default 1 */
                                strokeWidth?: unknown;
                            };
                            /** @description What is written; null (default): nothing */
                            label?: {
                                /** @description Required: the code of the column whose values are written */
                                column?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                font?: unknown;
                                /** @description Pixels, 4 to 200; default 12 */
                                size?: unknown;
                                /** @description A colour; default #333333 */
                                color?: unknown;
                                /** @description Around the letters: a colour; null (default): none */
                                halo?: unknown;
                                /** @description Pixels, 0 to 20; default 1.5 */
                                haloWidth?: unknown;
                                /** @description The zoom level from which on it is written, 0 (default) to 24 */
                                minZoom?: unknown;
                            };
                        };
                        /** @description A visualization of the types 1 to 7, replaced as a whole: what is absent has its default. Colours are #rrggbb, #rgb or rgb(r, g, b) */
                        visualSettings?: {
                            /** @description Of the visualization; not to be changed */
                            id?: unknown;
                            /** @description Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map */
                            type?: unknown;
                            /** @description Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none */
                            column?: unknown;
                            /** @description Its code, in place of the id */
                            columnCode?: unknown;
                            /** @description Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks */
                            algorithm?: unknown;
                            /** @description Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3 */
                            classesCount?: unknown;
                            /** @description By type */
                            classesSettings?: {
                                /** @description 0 to 1; default 0.9 (type 3: 0.75; type 7 has layerOpacity) */
                                opacity?: unknown;
                                /** @description Types 1 and 2: of lines, pixels, 0.1 to 50; default 2 */
                                lineWidth?: unknown;
                                /** @description Types 1 and 2: solid (default), dash, dot or dashdot */
                                linePattern?: unknown;
                                /** @description Type 1: colour of the lowest class; default #ffffcc */
                                minColor?: unknown;
                                /** @description Type 1: colour in the middle, null: none; default #41b6c4 */
                                midColor?: unknown;
                                /** @description Type 1: colour of the highest class; default #253494 */
                                maxColor?: unknown;
                                /** @description Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd */
                                noDataColor?: unknown;
                                /** @description Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data */
                                limits?: unknown;
                                /** @description Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values */
                                classes?: unknown;
                                /** @description Type 2: whether the service made the classes; sent back they are made again */
                                computed?: unknown;
                                /** @description Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked} */
                                defaultClass?: unknown;
                                /** @description Type 3: default #e6550d */
                                color?: unknown;
                                /** @description Type 3: least width, pixels, 1 to 200; default 4 */
                                pointSizeMin?: unknown;
                                /** @description Type 3: greatest width, pixels, 1 to 200; default 40 */
                                pointSizeMax?: unknown;
                                /** @description Type 3: the name of an icon */
                                icon?: unknown;
                                /** @description Type 3: whether it is drawn in place of a circle; default false */
                                useIcon?: unknown;
                                /** @description Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters */
                                columns?: unknown;
                                /** @description Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column */
                                sizeType?: unknown;
                                /** @description Types 4 to 6: fixed width, pixels, 4 to 200; default 40 */
                                sizeValue?: unknown;
                                /** @description Types 4 to 6: least width, pixels, 4 to 200; default 20 */
                                sizeFrom?: unknown;
                                /** @description Types 4 to 6: greatest width, pixels, 4 to 200; default 60 */
                                sizeTo?: unknown;
                                /** @description Types 4 to 6: id of the column of sizeType 3 */
                                sizeColumn?: unknown;
                                /** @description Types 4 to 6: its code, in place of the id */
                                sizeColumnCode?: unknown;
                                /** @description Types 5 and 6: whether axes are drawn; default false */
                                showScale?: unknown;
                                /** @description Types 4 to 6: whether charts may touch; default true */
                                allowOverlap?: unknown;
                                /** @description Type 7: fixed (default) or field */
                                markerSizeType?: unknown;
                                /** @description Type 7: how far an object reaches, pixels, 2 to 100; default 20 */
                                markerSize?: unknown;
                                /** @description Type 7: the least of field, pixels, 2 to 100; default 8 */
                                markerSizeMin?: unknown;
                                /** @description Type 7: the greatest of field, pixels, 2 to 100; default 40 */
                                markerSizeMax?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                markerSizeField?: unknown;
                                /** @description Type 7: factor of the density, 0 to 1 (default) */
                                markerOpacity?: unknown;
                                /** @description Type 7: 0 to 1; default 0.85 */
                                layerOpacity?: unknown;
                                /** @description Type 7: whether objects count as useWeightField says; default false */
                                useWeight?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                useWeightField?: unknown;
                                /** @description Type 7: whether weights count from 0 to 1; default false */
                                weightNormalize?: unknown;
                                /** @description Type 7: the weight that counts 0; default null: the least of the data */
                                weightNormalizeMin?: unknown;
                                /** @description Type 7: the weight that counts 1; default null: the greatest of the data */
                                weightNormalizeMax?: unknown;
                                /** @description Type 7: whether sizes grow with the map; default false */
                                linkToScale?: unknown;
                                /** @description Type 7: the zoom level at which they hold, 0 to 24; default 5 */
                                linkToScaleZoom?: unknown;
                                /** @description Type 7: 2 to 20 colours from cold to hot */
                                colors?: unknown;
                            };
                            /** @description Markers of points */
                            pointSettings?: {
                                /** @description Whether size counts; default false: 10 pixels */
                                sizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 200; default 10 */
                                size?: unknown;
                                /** @description Whether markers may touch; default true */
                                allowOverlap?: unknown;
                            };
                            /** @description Whether areas and markers have an edge, and lines a casing; default true */
                            showBorder?: unknown;
                            /** @description The edge */
                            borderSettings?: {
                                /** @description Default #ffffff */
                                color?: unknown;
                                /** @description Pixels, 0 to 20; default 0.5 */
                                width?: unknown;
                                /** @description 0 to 1; default 1 */
                                opacity?: unknown;
                                /** @description solid (default), dash, dot or dashdot */
                                pattern?: unknown;
                            };
                            /** @description Whether labels are written; default false */
                            showText?: unknown;
                            /** @description Labels */
                            textSettings?: {
                                /** @description Code of the column that is written; required where showText is true */
                                column?: unknown;
                                /** @description Pixels, 4 to 72; default 11 */
                                fontSize?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                fontFamily?: unknown;
                                /** @description Default #333333 */
                                fontColor?: unknown;
                                /** @description 0 to 1; default 1 */
                                fontOpacity?: unknown;
                                /** @description Whether letters have a halo; default true */
                                halo?: unknown;
                                /** @description Default #ffffff */
                                haloColor?: unknown;
                                /** @description Pixels, 0 to 10; default 1.5 */
                                haloWidth?: unknown;
                                /** @description 0 to 1; default 1 */
                                haloOpacity?: unknown;
                                /** @description Whether labels may touch; default false */
                                allowOverlap?: unknown;
                                /** @description Whether textOffset counts; default false */
                                offsetEnabled?: unknown;
                                /** @description Below the place, pixels, -200 to 200; default 0 */
                                textOffset?: unknown;
                            };
                            /** @description Whether viewers show the legend; default true */
                            showLegend?: unknown;
                            /** @description Whether its title is shown; default true */
                            showLegendName?: unknown;
                            /** @description Its title, at most 1,000 characters; default empty: the name of the layer */
                            legendName?: unknown;
                            /** @description Titles by language: at most 200 of {language: title}; they go before legendName */
                            legendNames?: unknown;
                            /** @description Whether numbers of objects are shown; default true */
                            showValues?: unknown;
                        };
                        /** @description id; type, the name of the plugin: hexbin; columns, UUID → id of a column; icons, UUID → path of an icon; settings, those of the plugin, which name columns and icons by their UUIDs */
                        visualCustomSettings?: {
                            [key: string]: unknown;
                        };
                        /** @description How a client draws the layer where render_type is 1; in a change what is absent keeps its value */
                        vectorSettings?: {
                            /** @description The layer; not to be changed */
                            id?: unknown;
                            /** @description Whether minZoom and maxZoom count; default false */
                            zoomsEnabled?: unknown;
                            /** @description Zoom level, 0 (default) to 24 */
                            minZoom?: unknown;
                            /** @description Zoom level, 0 to 24 (default) */
                            maxZoom?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesPolygon?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesText?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesLine?: unknown;
                            /** @description Of points */
                            stylesPoint?: {
                                /** @description Path of an icon; default empty: a circle */
                                icon?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                            };
                            /** @description Whether points that are near are drawn as one; default false */
                            clusteringEnabled?: unknown;
                            /** @description Of clusters */
                            clusterSettings?: {
                                /** @description client */
                                clusteringType?: unknown;
                                /** @description How near, pixels, 1 to 500; default 50 */
                                radius?: unknown;
                                /** @description Whether maxZoom counts; default false */
                                maxZoomEnabled?: unknown;
                                /** @description The last zoom level with clusters, 0 to 24; default 16 */
                                maxZoom?: unknown;
                                /** @description Whether icon is drawn; default false */
                                iconEnabled?: unknown;
                                /** @description Path of an icon; default empty */
                                icon?: unknown;
                                /** @description Whether the icon is wider where there are more objects; default false */
                                iconSizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 512; default 30 */
                                iconSizeMin?: unknown;
                                /** @description Width, pixels, 1 to 512; default 60 */
                                iconSizeMax?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                                /** @description Whether the number of objects is written; default true */
                                showObjectsCount?: unknown;
                                /** @description Of the number, to the right. Pixels, -500 to 500; default 0 */
                                objectsCountDx?: unknown;
                                /** @description Of the number, down. Pixels, -500 to 500; default 0 */
                                objectsCountDy?: unknown;
                                /** @description Whether objects of other categories of the visualization are other clusters; default false */
                                splitByCategories?: unknown;
                            };
                            /** @description Whether a click shows the value of a column; default false */
                            showPopup?: unknown;
                            /** @description Id of the column; null (default): none */
                            popupColumn?: unknown;
                            /** @description Code of the column, in place of its id */
                            popupColumnCode?: unknown;
                        };
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerBbox: {
        parameters: {
            query?: {
                /** @description Projection of the extent */
                bboxSR?: "4326" | "3857";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                        sw: number[];
                        /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                        ne: number[];
                    } | null;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerRefresh: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description layer or virtual */
                        type: string;
                        code: string;
                        name: string;
                        sort: number;
                        parent_id: number;
                        selected: boolean;
                        /** @description The same as id */
                        map_layer_id: number;
                        icon: string;
                        css_style: string;
                        /**
                         * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description 0 not set, 1 simple style, 2 CartoCSS, 3 visualization, 4 custom visualization */
                        style_mode: number;
                        /** @description Metadata of a raster */
                        meta: {
                            [key: string]: unknown;
                        };
                        /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                        render_settings: {
                            /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                            minZoom?: unknown;
                            /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                            maxZoom?: unknown;
                            /** @description 0 to 1 (default); times that of the map */
                            opacity?: unknown;
                            /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                            buffer?: unknown;
                            /** @description Whether tiles are kept in memory; default true */
                            cache?: unknown;
                        };
                        /** @description null: nothing in the layer has a geometry */
                        bbox?: {
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            sw: number[];
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            ne: number[];
                        } | null;
                        /** @description Settings of the layer; its query only for those who may edit it; of a materialized layer also refreshed: at, rows */
                        json: {
                            [key: string]: unknown;
                        };
                        /** @description A style of colours and sizes, in place of css_style. Colours are #rgb or #rrggbb */
                        simpleStyle?: {
                            /** @description Inside of areas: a colour; null (default): not filled */
                            fill?: unknown;
                            /** @description 0 to 1 (default) */
                            fillOpacity?: unknown;
                            /** @description Lines, and outlines of areas: a colour; null (default): none */
                            stroke?: unknown;
                            /** @description Pixels, 0 to 100; default 1 */
                            strokeWidth?: unknown;
                            /** @description 0 to 1 (default) */
                            strokeOpacity?: unknown;
                            /** @description Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line */
                            strokeDash?: unknown;
                            /** @description What stands for points; null (default): nothing */
                            marker?: {
                                /** @description circle (default), arrow, square, triangle, diamond, star, cross or pin */
                                shape?: unknown;
                                /** @description The name of an icon of the project, which goes before the shape; default empty */
                                icon?: unknown;
                                /** @description Width, pixels, 1 to 500; default 10 */
                                size?: unknown;
                                /** @description A colour; default #d9480f */
                                color?: unknown;
                                /** @description 0 to 1 (default) */
                                opacity?: unknown;
                                /** @description Its edge: a colour; null (default): none */
                                stroke?: unknown;
                                /** @description Pixels, 0 to 100; default 1 */
                                strokeWidth?: unknown;
                            };
                            /** @description What is written; null (default): nothing */
                            label?: {
                                /** @description Required: the code of the column whose values are written */
                                column?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                font?: unknown;
                                /** @description Pixels, 4 to 200; default 12 */
                                size?: unknown;
                                /** @description A colour; default #333333 */
                                color?: unknown;
                                /** @description Around the letters: a colour; null (default): none */
                                halo?: unknown;
                                /** @description Pixels, 0 to 20; default 1.5 */
                                haloWidth?: unknown;
                                /** @description The zoom level from which on it is written, 0 (default) to 24 */
                                minZoom?: unknown;
                            };
                        };
                        /** @description A visualization of the types 1 to 7, replaced as a whole: what is absent has its default. Colours are #rrggbb, #rgb or rgb(r, g, b) */
                        visualSettings?: {
                            /** @description Of the visualization; not to be changed */
                            id?: unknown;
                            /** @description Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map */
                            type?: unknown;
                            /** @description Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none */
                            column?: unknown;
                            /** @description Its code, in place of the id */
                            columnCode?: unknown;
                            /** @description Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks */
                            algorithm?: unknown;
                            /** @description Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3 */
                            classesCount?: unknown;
                            /** @description By type */
                            classesSettings?: {
                                /** @description 0 to 1; default 0.9 (type 3: 0.75; type 7 has layerOpacity) */
                                opacity?: unknown;
                                /** @description Types 1 and 2: of lines, pixels, 0.1 to 50; default 2 */
                                lineWidth?: unknown;
                                /** @description Types 1 and 2: solid (default), dash, dot or dashdot */
                                linePattern?: unknown;
                                /** @description Type 1: colour of the lowest class; default #ffffcc */
                                minColor?: unknown;
                                /** @description Type 1: colour in the middle, null: none; default #41b6c4 */
                                midColor?: unknown;
                                /** @description Type 1: colour of the highest class; default #253494 */
                                maxColor?: unknown;
                                /** @description Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd */
                                noDataColor?: unknown;
                                /** @description Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data */
                                limits?: unknown;
                                /** @description Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values */
                                classes?: unknown;
                                /** @description Type 2: whether the service made the classes; sent back they are made again */
                                computed?: unknown;
                                /** @description Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked} */
                                defaultClass?: unknown;
                                /** @description Type 3: default #e6550d */
                                color?: unknown;
                                /** @description Type 3: least width, pixels, 1 to 200; default 4 */
                                pointSizeMin?: unknown;
                                /** @description Type 3: greatest width, pixels, 1 to 200; default 40 */
                                pointSizeMax?: unknown;
                                /** @description Type 3: the name of an icon */
                                icon?: unknown;
                                /** @description Type 3: whether it is drawn in place of a circle; default false */
                                useIcon?: unknown;
                                /** @description Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters */
                                columns?: unknown;
                                /** @description Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column */
                                sizeType?: unknown;
                                /** @description Types 4 to 6: fixed width, pixels, 4 to 200; default 40 */
                                sizeValue?: unknown;
                                /** @description Types 4 to 6: least width, pixels, 4 to 200; default 20 */
                                sizeFrom?: unknown;
                                /** @description Types 4 to 6: greatest width, pixels, 4 to 200; default 60 */
                                sizeTo?: unknown;
                                /** @description Types 4 to 6: id of the column of sizeType 3 */
                                sizeColumn?: unknown;
                                /** @description Types 4 to 6: its code, in place of the id */
                                sizeColumnCode?: unknown;
                                /** @description Types 5 and 6: whether axes are drawn; default false */
                                showScale?: unknown;
                                /** @description Types 4 to 6: whether charts may touch; default true */
                                allowOverlap?: unknown;
                                /** @description Type 7: fixed (default) or field */
                                markerSizeType?: unknown;
                                /** @description Type 7: how far an object reaches, pixels, 2 to 100; default 20 */
                                markerSize?: unknown;
                                /** @description Type 7: the least of field, pixels, 2 to 100; default 8 */
                                markerSizeMin?: unknown;
                                /** @description Type 7: the greatest of field, pixels, 2 to 100; default 40 */
                                markerSizeMax?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                markerSizeField?: unknown;
                                /** @description Type 7: factor of the density, 0 to 1 (default) */
                                markerOpacity?: unknown;
                                /** @description Type 7: 0 to 1; default 0.85 */
                                layerOpacity?: unknown;
                                /** @description Type 7: whether objects count as useWeightField says; default false */
                                useWeight?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                useWeightField?: unknown;
                                /** @description Type 7: whether weights count from 0 to 1; default false */
                                weightNormalize?: unknown;
                                /** @description Type 7: the weight that counts 0; default null: the least of the data */
                                weightNormalizeMin?: unknown;
                                /** @description Type 7: the weight that counts 1; default null: the greatest of the data */
                                weightNormalizeMax?: unknown;
                                /** @description Type 7: whether sizes grow with the map; default false */
                                linkToScale?: unknown;
                                /** @description Type 7: the zoom level at which they hold, 0 to 24; default 5 */
                                linkToScaleZoom?: unknown;
                                /** @description Type 7: 2 to 20 colours from cold to hot */
                                colors?: unknown;
                            };
                            /** @description Markers of points */
                            pointSettings?: {
                                /** @description Whether size counts; default false: 10 pixels */
                                sizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 200; default 10 */
                                size?: unknown;
                                /** @description Whether markers may touch; default true */
                                allowOverlap?: unknown;
                            };
                            /** @description Whether areas and markers have an edge, and lines a casing; default true */
                            showBorder?: unknown;
                            /** @description The edge */
                            borderSettings?: {
                                /** @description Default #ffffff */
                                color?: unknown;
                                /** @description Pixels, 0 to 20; default 0.5 */
                                width?: unknown;
                                /** @description 0 to 1; default 1 */
                                opacity?: unknown;
                                /** @description solid (default), dash, dot or dashdot */
                                pattern?: unknown;
                            };
                            /** @description Whether labels are written; default false */
                            showText?: unknown;
                            /** @description Labels */
                            textSettings?: {
                                /** @description Code of the column that is written; required where showText is true */
                                column?: unknown;
                                /** @description Pixels, 4 to 72; default 11 */
                                fontSize?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                fontFamily?: unknown;
                                /** @description Default #333333 */
                                fontColor?: unknown;
                                /** @description 0 to 1; default 1 */
                                fontOpacity?: unknown;
                                /** @description Whether letters have a halo; default true */
                                halo?: unknown;
                                /** @description Default #ffffff */
                                haloColor?: unknown;
                                /** @description Pixels, 0 to 10; default 1.5 */
                                haloWidth?: unknown;
                                /** @description 0 to 1; default 1 */
                                haloOpacity?: unknown;
                                /** @description Whether labels may touch; default false */
                                allowOverlap?: unknown;
                                /** @description Whether textOffset counts; default false */
                                offsetEnabled?: unknown;
                                /** @description Below the place, pixels, -200 to 200; default 0 */
                                textOffset?: unknown;
                            };
                            /** @description Whether viewers show the legend; default true */
                            showLegend?: unknown;
                            /** @description Whether its title is shown; default true */
                            showLegendName?: unknown;
                            /** @description Its title, at most 1,000 characters; default empty: the name of the layer */
                            legendName?: unknown;
                            /** @description Titles by language: at most 200 of {language: title}; they go before legendName */
                            legendNames?: unknown;
                            /** @description Whether numbers of objects are shown; default true */
                            showValues?: unknown;
                        };
                        /** @description id; type, the name of the plugin: hexbin; columns, UUID → id of a column; icons, UUID → path of an icon; settings, those of the plugin, which name columns and icons by their UUIDs */
                        visualCustomSettings?: {
                            [key: string]: unknown;
                        };
                        /** @description How a client draws the layer where render_type is 1; in a change what is absent keeps its value */
                        vectorSettings?: {
                            /** @description The layer; not to be changed */
                            id?: unknown;
                            /** @description Whether minZoom and maxZoom count; default false */
                            zoomsEnabled?: unknown;
                            /** @description Zoom level, 0 (default) to 24 */
                            minZoom?: unknown;
                            /** @description Zoom level, 0 to 24 (default) */
                            maxZoom?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesPolygon?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesText?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesLine?: unknown;
                            /** @description Of points */
                            stylesPoint?: {
                                /** @description Path of an icon; default empty: a circle */
                                icon?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                            };
                            /** @description Whether points that are near are drawn as one; default false */
                            clusteringEnabled?: unknown;
                            /** @description Of clusters */
                            clusterSettings?: {
                                /** @description client */
                                clusteringType?: unknown;
                                /** @description How near, pixels, 1 to 500; default 50 */
                                radius?: unknown;
                                /** @description Whether maxZoom counts; default false */
                                maxZoomEnabled?: unknown;
                                /** @description The last zoom level with clusters, 0 to 24; default 16 */
                                maxZoom?: unknown;
                                /** @description Whether icon is drawn; default false */
                                iconEnabled?: unknown;
                                /** @description Path of an icon; default empty */
                                icon?: unknown;
                                /** @description Whether the icon is wider where there are more objects; default false */
                                iconSizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 512; default 30 */
                                iconSizeMin?: unknown;
                                /** @description Width, pixels, 1 to 512; default 60 */
                                iconSizeMax?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                                /** @description Whether the number of objects is written; default true */
                                showObjectsCount?: unknown;
                                /** @description Of the number, to the right. Pixels, -500 to 500; default 0 */
                                objectsCountDx?: unknown;
                                /** @description Of the number, down. Pixels, -500 to 500; default 0 */
                                objectsCountDy?: unknown;
                                /** @description Whether objects of other categories of the visualization are other clusters; default false */
                                splitByCategories?: unknown;
                            };
                            /** @description Whether a click shows the value of a column; default false */
                            showPopup?: unknown;
                            /** @description Id of the column; null (default): none */
                            popupColumn?: unknown;
                            /** @description Code of the column, in place of its id */
                            popupColumnCode?: unknown;
                        };
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapQuery: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One SELECT, as json.query of a layer */
                    query: string;
                    /**
                     * @description The type of the layer that it is meant for
                     * @default virtual
                     * @enum {unknown}
                     */
                    type?: "virtual" | "material";
                    /** @description Code of the query layer that it is meant for */
                    layer?: string;
                    /**
                     * @description Most rows
                     * @default 20
                     */
                    rows?: number;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        columns: {
                            code: string;
                            type: string;
                        }[];
                        rows: {
                            /** @description svc_id; a layer needs one in each row */
                            id: number | null;
                            /** @description Its type, such as Point */
                            geometry: string | null;
                            /** @description Values by code */
                            fields: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapDraft: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        css_style: string;
                        style_mode?: number;
                        /** @description Where the draft has one */
                        simpleStyle?: unknown;
                        /** @description Where the draft has one */
                        visualSettings?: unknown;
                        /** @description Where the draft has one */
                        visualCustomSettings?: unknown;
                        /** @description ETag of the saved version that the draft was made from */
                        base: string;
                        /** @description ISO 8601 */
                        changed_at: string;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putMapDraft: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description CartoCSS with Map { … } */
                    css_style: string;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        css_style: string;
                        style_mode?: number;
                        /** @description Where the draft has one */
                        simpleStyle?: unknown;
                        /** @description Where the draft has one */
                        visualSettings?: unknown;
                        /** @description Where the draft has one */
                        visualCustomSettings?: unknown;
                        /** @description ETag of the saved version that the draft was made from */
                        base: string;
                        /** @description ISO 8601 */
                        changed_at: string;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMapDraft: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerDraft: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        css_style: string;
                        style_mode?: number;
                        /** @description Where the draft has one */
                        simpleStyle?: unknown;
                        /** @description Where the draft has one */
                        visualSettings?: unknown;
                        /** @description Where the draft has one */
                        visualCustomSettings?: unknown;
                        /** @description ETag of the saved version that the draft was made from */
                        base: string;
                        /** @description ISO 8601 */
                        changed_at: string;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putMapLayerDraft: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description CartoCSS; `#code` or `#layer` selects the layer */
                    css_style?: string;
                    /** @description A style of colours and sizes, of which css_style is made; style_mode becomes 1. null: the CartoCSS stays */
                    simpleStyle?: {
                        /** @description Inside of areas: a colour; null (default): not filled */
                        fill?: unknown;
                        /** @description 0 to 1 (default) */
                        fillOpacity?: unknown;
                        /** @description Lines, and outlines of areas: a colour; null (default): none */
                        stroke?: unknown;
                        /** @description Pixels, 0 to 100; default 1 */
                        strokeWidth?: unknown;
                        /** @description 0 to 1 (default) */
                        strokeOpacity?: unknown;
                        /** @description Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line */
                        strokeDash?: unknown;
                        /** @description What stands for points; null (default): nothing */
                        marker?: {
                            /** @description circle (default), arrow, square, triangle, diamond, star, cross or pin */
                            shape?: unknown;
                            /** @description The name of an icon of the project, which goes before the shape; default empty */
                            icon?: unknown;
                            /** @description Width, pixels, 1 to 500; default 10 */
                            size?: unknown;
                            /** @description A colour; default #d9480f */
                            color?: unknown;
                            /** @description 0 to 1 (default) */
                            opacity?: unknown;
                            /** @description Its edge: a colour; null (default): none */
                            stroke?: unknown;
                            /** @description Pixels, 0 to 100; default 1 */
                            strokeWidth?: unknown;
                        };
                        /** @description What is written; null (default): nothing */
                        label?: {
                            /** @description Required: the code of the column whose values are written */
                            column?: unknown;
                            /** @description The full name of a font of the service; default DejaVu Sans Book */
                            font?: unknown;
                            /** @description Pixels, 4 to 200; default 12 */
                            size?: unknown;
                            /** @description A colour; default #333333 */
                            color?: unknown;
                            /** @description Around the letters: a colour; null (default): none */
                            halo?: unknown;
                            /** @description Pixels, 0 to 20; default 1.5 */
                            haloWidth?: unknown;
                            /** @description The zoom level from which on it is written, 0 (default) to 24 */
                            minZoom?: unknown;
                        };
                    } | null;
                    /** @description A visualization of the types 1 to 7 (docs/guide/visualizations.md); null removes it */
                    visualSettings?: {
                        /** @description Of the visualization; not to be changed */
                        id?: unknown;
                        /** @description Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map */
                        type?: unknown;
                        /** @description Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none */
                        column?: unknown;
                        /** @description Its code, in place of the id */
                        columnCode?: unknown;
                        /** @description Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks */
                        algorithm?: unknown;
                        /** @description Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3 */
                        classesCount?: unknown;
                        /** @description By type */
                        classesSettings?: {
                            /** @description 0 to 1; default 0.9 (type 3: 0.75; type 7 has layerOpacity) */
                            opacity?: unknown;
                            /** @description Types 1 and 2: of lines, pixels, 0.1 to 50; default 2 */
                            lineWidth?: unknown;
                            /** @description Types 1 and 2: solid (default), dash, dot or dashdot */
                            linePattern?: unknown;
                            /** @description Type 1: colour of the lowest class; default #ffffcc */
                            minColor?: unknown;
                            /** @description Type 1: colour in the middle, null: none; default #41b6c4 */
                            midColor?: unknown;
                            /** @description Type 1: colour of the highest class; default #253494 */
                            maxColor?: unknown;
                            /** @description Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd */
                            noDataColor?: unknown;
                            /** @description Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data */
                            limits?: unknown;
                            /** @description Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values */
                            classes?: unknown;
                            /** @description Type 2: whether the service made the classes; sent back they are made again */
                            computed?: unknown;
                            /** @description Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked} */
                            defaultClass?: unknown;
                            /** @description Type 3: default #e6550d */
                            color?: unknown;
                            /** @description Type 3: least width, pixels, 1 to 200; default 4 */
                            pointSizeMin?: unknown;
                            /** @description Type 3: greatest width, pixels, 1 to 200; default 40 */
                            pointSizeMax?: unknown;
                            /** @description Type 3: the name of an icon */
                            icon?: unknown;
                            /** @description Type 3: whether it is drawn in place of a circle; default false */
                            useIcon?: unknown;
                            /** @description Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters */
                            columns?: unknown;
                            /** @description Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column */
                            sizeType?: unknown;
                            /** @description Types 4 to 6: fixed width, pixels, 4 to 200; default 40 */
                            sizeValue?: unknown;
                            /** @description Types 4 to 6: least width, pixels, 4 to 200; default 20 */
                            sizeFrom?: unknown;
                            /** @description Types 4 to 6: greatest width, pixels, 4 to 200; default 60 */
                            sizeTo?: unknown;
                            /** @description Types 4 to 6: id of the column of sizeType 3 */
                            sizeColumn?: unknown;
                            /** @description Types 4 to 6: its code, in place of the id */
                            sizeColumnCode?: unknown;
                            /** @description Types 5 and 6: whether axes are drawn; default false */
                            showScale?: unknown;
                            /** @description Types 4 to 6: whether charts may touch; default true */
                            allowOverlap?: unknown;
                            /** @description Type 7: fixed (default) or field */
                            markerSizeType?: unknown;
                            /** @description Type 7: how far an object reaches, pixels, 2 to 100; default 20 */
                            markerSize?: unknown;
                            /** @description Type 7: the least of field, pixels, 2 to 100; default 8 */
                            markerSizeMin?: unknown;
                            /** @description Type 7: the greatest of field, pixels, 2 to 100; default 40 */
                            markerSizeMax?: unknown;
                            /** @description Type 7: id or code of a column of numbers */
                            markerSizeField?: unknown;
                            /** @description Type 7: factor of the density, 0 to 1 (default) */
                            markerOpacity?: unknown;
                            /** @description Type 7: 0 to 1; default 0.85 */
                            layerOpacity?: unknown;
                            /** @description Type 7: whether objects count as useWeightField says; default false */
                            useWeight?: unknown;
                            /** @description Type 7: id or code of a column of numbers */
                            useWeightField?: unknown;
                            /** @description Type 7: whether weights count from 0 to 1; default false */
                            weightNormalize?: unknown;
                            /** @description Type 7: the weight that counts 0; default null: the least of the data */
                            weightNormalizeMin?: unknown;
                            /** @description Type 7: the weight that counts 1; default null: the greatest of the data */
                            weightNormalizeMax?: unknown;
                            /** @description Type 7: whether sizes grow with the map; default false */
                            linkToScale?: unknown;
                            /** @description Type 7: the zoom level at which they hold, 0 to 24; default 5 */
                            linkToScaleZoom?: unknown;
                            /** @description Type 7: 2 to 20 colours from cold to hot */
                            colors?: unknown;
                        };
                        /** @description Markers of points */
                        pointSettings?: {
                            /** @description Whether size counts; default false: 10 pixels */
                            sizeEnabled?: unknown;
                            /** @description Width, pixels, 1 to 200; default 10 */
                            size?: unknown;
                            /** @description Whether markers may touch; default true */
                            allowOverlap?: unknown;
                        };
                        /** @description Whether areas and markers have an edge, and lines a casing; default true */
                        showBorder?: unknown;
                        /** @description The edge */
                        borderSettings?: {
                            /** @description Default #ffffff */
                            color?: unknown;
                            /** @description Pixels, 0 to 20; default 0.5 */
                            width?: unknown;
                            /** @description 0 to 1; default 1 */
                            opacity?: unknown;
                            /** @description solid (default), dash, dot or dashdot */
                            pattern?: unknown;
                        };
                        /** @description Whether labels are written; default false */
                        showText?: unknown;
                        /** @description Labels */
                        textSettings?: {
                            /** @description Code of the column that is written; required where showText is true */
                            column?: unknown;
                            /** @description Pixels, 4 to 72; default 11 */
                            fontSize?: unknown;
                            /** @description The full name of a font of the service; default DejaVu Sans Book */
                            fontFamily?: unknown;
                            /** @description Default #333333 */
                            fontColor?: unknown;
                            /** @description 0 to 1; default 1 */
                            fontOpacity?: unknown;
                            /** @description Whether letters have a halo; default true */
                            halo?: unknown;
                            /** @description Default #ffffff */
                            haloColor?: unknown;
                            /** @description Pixels, 0 to 10; default 1.5 */
                            haloWidth?: unknown;
                            /** @description 0 to 1; default 1 */
                            haloOpacity?: unknown;
                            /** @description Whether labels may touch; default false */
                            allowOverlap?: unknown;
                            /** @description Whether textOffset counts; default false */
                            offsetEnabled?: unknown;
                            /** @description Below the place, pixels, -200 to 200; default 0 */
                            textOffset?: unknown;
                        };
                        /** @description Whether viewers show the legend; default true */
                        showLegend?: unknown;
                        /** @description Whether its title is shown; default true */
                        showLegendName?: unknown;
                        /** @description Its title, at most 1,000 characters; default empty: the name of the layer */
                        legendName?: unknown;
                        /** @description Titles by language: at most 200 of {language: title}; they go before legendName */
                        legendNames?: unknown;
                        /** @description Whether numbers of objects are shown; default true */
                        showValues?: unknown;
                    } | null;
                    /** @description A custom visualization by a plugin (docs/guide/custom-visualizations.md); it takes the place of visualSettings, and they of it; null removes it */
                    visualCustomSettings?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        css_style: string;
                        style_mode?: number;
                        /** @description Where the draft has one */
                        simpleStyle?: unknown;
                        /** @description Where the draft has one */
                        visualSettings?: unknown;
                        /** @description Where the draft has one */
                        visualCustomSettings?: unknown;
                        /** @description ETag of the saved version that the draft was made from */
                        base: string;
                        /** @description ISO 8601 */
                        changed_at: string;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMapLayerDraft: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapDraftPublish: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerDraftPublish: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description layer or virtual */
                        type: string;
                        code: string;
                        name: string;
                        sort: number;
                        parent_id: number;
                        selected: boolean;
                        /** @description The same as id */
                        map_layer_id: number;
                        icon: string;
                        css_style: string;
                        /**
                         * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description 0 not set, 1 simple style, 2 CartoCSS, 3 visualization, 4 custom visualization */
                        style_mode: number;
                        /** @description Metadata of a raster */
                        meta: {
                            [key: string]: unknown;
                        };
                        /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                        render_settings: {
                            /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                            minZoom?: unknown;
                            /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                            maxZoom?: unknown;
                            /** @description 0 to 1 (default); times that of the map */
                            opacity?: unknown;
                            /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                            buffer?: unknown;
                            /** @description Whether tiles are kept in memory; default true */
                            cache?: unknown;
                        };
                        /** @description null: nothing in the layer has a geometry */
                        bbox?: {
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            sw: number[];
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            ne: number[];
                        } | null;
                        /** @description Settings of the layer; its query only for those who may edit it; of a materialized layer also refreshed: at, rows */
                        json: {
                            [key: string]: unknown;
                        };
                        /** @description A style of colours and sizes, in place of css_style. Colours are #rgb or #rrggbb */
                        simpleStyle?: {
                            /** @description Inside of areas: a colour; null (default): not filled */
                            fill?: unknown;
                            /** @description 0 to 1 (default) */
                            fillOpacity?: unknown;
                            /** @description Lines, and outlines of areas: a colour; null (default): none */
                            stroke?: unknown;
                            /** @description Pixels, 0 to 100; default 1 */
                            strokeWidth?: unknown;
                            /** @description 0 to 1 (default) */
                            strokeOpacity?: unknown;
                            /** @description Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line */
                            strokeDash?: unknown;
                            /** @description What stands for points; null (default): nothing */
                            marker?: {
                                /** @description circle (default), arrow, square, triangle, diamond, star, cross or pin */
                                shape?: unknown;
                                /** @description The name of an icon of the project, which goes before the shape; default empty */
                                icon?: unknown;
                                /** @description Width, pixels, 1 to 500; default 10 */
                                size?: unknown;
                                /** @description A colour; default #d9480f */
                                color?: unknown;
                                /** @description 0 to 1 (default) */
                                opacity?: unknown;
                                /** @description Its edge: a colour; null (default): none */
                                stroke?: unknown;
                                /** @description Pixels, 0 to 100; default 1 */
                                strokeWidth?: unknown;
                            };
                            /** @description What is written; null (default): nothing */
                            label?: {
                                /** @description Required: the code of the column whose values are written */
                                column?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                font?: unknown;
                                /** @description Pixels, 4 to 200; default 12 */
                                size?: unknown;
                                /** @description A colour; default #333333 */
                                color?: unknown;
                                /** @description Around the letters: a colour; null (default): none */
                                halo?: unknown;
                                /** @description Pixels, 0 to 20; default 1.5 */
                                haloWidth?: unknown;
                                /** @description The zoom level from which on it is written, 0 (default) to 24 */
                                minZoom?: unknown;
                            };
                        };
                        /** @description A visualization of the types 1 to 7, replaced as a whole: what is absent has its default. Colours are #rrggbb, #rgb or rgb(r, g, b) */
                        visualSettings?: {
                            /** @description Of the visualization; not to be changed */
                            id?: unknown;
                            /** @description Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map */
                            type?: unknown;
                            /** @description Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none */
                            column?: unknown;
                            /** @description Its code, in place of the id */
                            columnCode?: unknown;
                            /** @description Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks */
                            algorithm?: unknown;
                            /** @description Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3 */
                            classesCount?: unknown;
                            /** @description By type */
                            classesSettings?: {
                                /** @description 0 to 1; default 0.9 (type 3: 0.75; type 7 has layerOpacity) */
                                opacity?: unknown;
                                /** @description Types 1 and 2: of lines, pixels, 0.1 to 50; default 2 */
                                lineWidth?: unknown;
                                /** @description Types 1 and 2: solid (default), dash, dot or dashdot */
                                linePattern?: unknown;
                                /** @description Type 1: colour of the lowest class; default #ffffcc */
                                minColor?: unknown;
                                /** @description Type 1: colour in the middle, null: none; default #41b6c4 */
                                midColor?: unknown;
                                /** @description Type 1: colour of the highest class; default #253494 */
                                maxColor?: unknown;
                                /** @description Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd */
                                noDataColor?: unknown;
                                /** @description Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data */
                                limits?: unknown;
                                /** @description Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values */
                                classes?: unknown;
                                /** @description Type 2: whether the service made the classes; sent back they are made again */
                                computed?: unknown;
                                /** @description Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked} */
                                defaultClass?: unknown;
                                /** @description Type 3: default #e6550d */
                                color?: unknown;
                                /** @description Type 3: least width, pixels, 1 to 200; default 4 */
                                pointSizeMin?: unknown;
                                /** @description Type 3: greatest width, pixels, 1 to 200; default 40 */
                                pointSizeMax?: unknown;
                                /** @description Type 3: the name of an icon */
                                icon?: unknown;
                                /** @description Type 3: whether it is drawn in place of a circle; default false */
                                useIcon?: unknown;
                                /** @description Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters */
                                columns?: unknown;
                                /** @description Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column */
                                sizeType?: unknown;
                                /** @description Types 4 to 6: fixed width, pixels, 4 to 200; default 40 */
                                sizeValue?: unknown;
                                /** @description Types 4 to 6: least width, pixels, 4 to 200; default 20 */
                                sizeFrom?: unknown;
                                /** @description Types 4 to 6: greatest width, pixels, 4 to 200; default 60 */
                                sizeTo?: unknown;
                                /** @description Types 4 to 6: id of the column of sizeType 3 */
                                sizeColumn?: unknown;
                                /** @description Types 4 to 6: its code, in place of the id */
                                sizeColumnCode?: unknown;
                                /** @description Types 5 and 6: whether axes are drawn; default false */
                                showScale?: unknown;
                                /** @description Types 4 to 6: whether charts may touch; default true */
                                allowOverlap?: unknown;
                                /** @description Type 7: fixed (default) or field */
                                markerSizeType?: unknown;
                                /** @description Type 7: how far an object reaches, pixels, 2 to 100; default 20 */
                                markerSize?: unknown;
                                /** @description Type 7: the least of field, pixels, 2 to 100; default 8 */
                                markerSizeMin?: unknown;
                                /** @description Type 7: the greatest of field, pixels, 2 to 100; default 40 */
                                markerSizeMax?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                markerSizeField?: unknown;
                                /** @description Type 7: factor of the density, 0 to 1 (default) */
                                markerOpacity?: unknown;
                                /** @description Type 7: 0 to 1; default 0.85 */
                                layerOpacity?: unknown;
                                /** @description Type 7: whether objects count as useWeightField says; default false */
                                useWeight?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                useWeightField?: unknown;
                                /** @description Type 7: whether weights count from 0 to 1; default false */
                                weightNormalize?: unknown;
                                /** @description Type 7: the weight that counts 0; default null: the least of the data */
                                weightNormalizeMin?: unknown;
                                /** @description Type 7: the weight that counts 1; default null: the greatest of the data */
                                weightNormalizeMax?: unknown;
                                /** @description Type 7: whether sizes grow with the map; default false */
                                linkToScale?: unknown;
                                /** @description Type 7: the zoom level at which they hold, 0 to 24; default 5 */
                                linkToScaleZoom?: unknown;
                                /** @description Type 7: 2 to 20 colours from cold to hot */
                                colors?: unknown;
                            };
                            /** @description Markers of points */
                            pointSettings?: {
                                /** @description Whether size counts; default false: 10 pixels */
                                sizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 200; default 10 */
                                size?: unknown;
                                /** @description Whether markers may touch; default true */
                                allowOverlap?: unknown;
                            };
                            /** @description Whether areas and markers have an edge, and lines a casing; default true */
                            showBorder?: unknown;
                            /** @description The edge */
                            borderSettings?: {
                                /** @description Default #ffffff */
                                color?: unknown;
                                /** @description Pixels, 0 to 20; default 0.5 */
                                width?: unknown;
                                /** @description 0 to 1; default 1 */
                                opacity?: unknown;
                                /** @description solid (default), dash, dot or dashdot */
                                pattern?: unknown;
                            };
                            /** @description Whether labels are written; default false */
                            showText?: unknown;
                            /** @description Labels */
                            textSettings?: {
                                /** @description Code of the column that is written; required where showText is true */
                                column?: unknown;
                                /** @description Pixels, 4 to 72; default 11 */
                                fontSize?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                fontFamily?: unknown;
                                /** @description Default #333333 */
                                fontColor?: unknown;
                                /** @description 0 to 1; default 1 */
                                fontOpacity?: unknown;
                                /** @description Whether letters have a halo; default true */
                                halo?: unknown;
                                /** @description Default #ffffff */
                                haloColor?: unknown;
                                /** @description Pixels, 0 to 10; default 1.5 */
                                haloWidth?: unknown;
                                /** @description 0 to 1; default 1 */
                                haloOpacity?: unknown;
                                /** @description Whether labels may touch; default false */
                                allowOverlap?: unknown;
                                /** @description Whether textOffset counts; default false */
                                offsetEnabled?: unknown;
                                /** @description Below the place, pixels, -200 to 200; default 0 */
                                textOffset?: unknown;
                            };
                            /** @description Whether viewers show the legend; default true */
                            showLegend?: unknown;
                            /** @description Whether its title is shown; default true */
                            showLegendName?: unknown;
                            /** @description Its title, at most 1,000 characters; default empty: the name of the layer */
                            legendName?: unknown;
                            /** @description Titles by language: at most 200 of {language: title}; they go before legendName */
                            legendNames?: unknown;
                            /** @description Whether numbers of objects are shown; default true */
                            showValues?: unknown;
                        };
                        /** @description id; type, the name of the plugin: hexbin; columns, UUID → id of a column; icons, UUID → path of an icon; settings, those of the plugin, which name columns and icons by their UUIDs */
                        visualCustomSettings?: {
                            [key: string]: unknown;
                        };
                        /** @description How a client draws the layer where render_type is 1; in a change what is absent keeps its value */
                        vectorSettings?: {
                            /** @description The layer; not to be changed */
                            id?: unknown;
                            /** @description Whether minZoom and maxZoom count; default false */
                            zoomsEnabled?: unknown;
                            /** @description Zoom level, 0 (default) to 24 */
                            minZoom?: unknown;
                            /** @description Zoom level, 0 to 24 (default) */
                            maxZoom?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesPolygon?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesText?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesLine?: unknown;
                            /** @description Of points */
                            stylesPoint?: {
                                /** @description Path of an icon; default empty: a circle */
                                icon?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                            };
                            /** @description Whether points that are near are drawn as one; default false */
                            clusteringEnabled?: unknown;
                            /** @description Of clusters */
                            clusterSettings?: {
                                /** @description client */
                                clusteringType?: unknown;
                                /** @description How near, pixels, 1 to 500; default 50 */
                                radius?: unknown;
                                /** @description Whether maxZoom counts; default false */
                                maxZoomEnabled?: unknown;
                                /** @description The last zoom level with clusters, 0 to 24; default 16 */
                                maxZoom?: unknown;
                                /** @description Whether icon is drawn; default false */
                                iconEnabled?: unknown;
                                /** @description Path of an icon; default empty */
                                icon?: unknown;
                                /** @description Whether the icon is wider where there are more objects; default false */
                                iconSizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 512; default 30 */
                                iconSizeMin?: unknown;
                                /** @description Width, pixels, 1 to 512; default 60 */
                                iconSizeMax?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                                /** @description Whether the number of objects is written; default true */
                                showObjectsCount?: unknown;
                                /** @description Of the number, to the right. Pixels, -500 to 500; default 0 */
                                objectsCountDx?: unknown;
                                /** @description Of the number, down. Pixels, -500 to 500; default 0 */
                                objectsCountDy?: unknown;
                                /** @description Whether objects of other categories of the visualization are other clusters; default false */
                                splitByCategories?: unknown;
                            };
                            /** @description Whether a click shows the value of a column; default false */
                            showPopup?: unknown;
                            /** @description Id of the column; null (default): none */
                            popupColumn?: unknown;
                            /** @description Code of the column, in place of its id */
                            popupColumnCode?: unknown;
                        };
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerLegend: {
        parameters: {
            query?: {
                /** @description CQL2, as text or JSON: only objects that meet it are counted. The classes stay those of all */
                filter?: string;
                /** @description 1: of the caller's own draft. Needs a token; the answer is not cached */
                draft?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Title, in the language of the request; the name of the layer where none was set */
                        name: string;
                        /** @description Code of the column that the values come from */
                        column: string | null;
                        /** @description Limits of values are shown */
                        showValues: boolean;
                        /** @description The legend is shown */
                        showLegend: boolean;
                        /** @description Its title is shown */
                        showLegendName: boolean;
                        /** @description Start of the scale */
                        minValue: number | null;
                        /** @description End of the scale */
                        maxValue: number | null;
                        /** @description Type of the visualization; the plugin of a custom one */
                        type: number | string;
                        /** @description All objects of the layer */
                        count: number;
                        /** @description The border of what is drawn: opacity, pattern, width, color */
                        border: {
                            [key: string]: unknown;
                        } | null;
                        /** @description For a visualization that draws cells */
                        cell?: {
                            /** @description The zoom level at which they are as wide as the settings say */
                            zoom: number;
                            /** @description Metres at the equator */
                            width: number;
                        };
                        /** @description Width at which the pictures of the entries are as large as on the map, pixels */
                        swatchSize: number;
                        classificators: {
                            /** @description Category, lower limit of a class, value of a bubble; null: what is in no other class */
                            value: unknown;
                            /** @description Colour, #rrggbb */
                            fill: string;
                            /** @description Whether an icon is drawn */
                            isIcon: boolean;
                            /** @description Text of the class in the language of the request; null: objects in no other class */
                            label: string | null;
                            /** @description Objects of the class as the data is now; those of all classes are all objects. null: of a part of every object */
                            count: number | null;
                            /** @description The class begins with it; the first takes what is less, too */
                            from?: number;
                            /** @description The class ends before it; the last takes it and what is more */
                            to?: number;
                            /** @description Width of the marker, pixels */
                            size?: number;
                            opacity?: number;
                            icon?: string;
                            /** @description Its objects are not drawn */
                            hidden?: boolean;
                            /** @description Path of its picture, a PNG of `size` 16 to 512 pixels in its real style */
                            swatch?: string;
                        }[];
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerLegendRefresh: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Title, in the language of the request; the name of the layer where none was set */
                        name: string;
                        /** @description Code of the column that the values come from */
                        column: string | null;
                        /** @description Limits of values are shown */
                        showValues: boolean;
                        /** @description The legend is shown */
                        showLegend: boolean;
                        /** @description Its title is shown */
                        showLegendName: boolean;
                        /** @description Start of the scale */
                        minValue: number | null;
                        /** @description End of the scale */
                        maxValue: number | null;
                        /** @description Type of the visualization; the plugin of a custom one */
                        type: number | string;
                        /** @description All objects of the layer */
                        count: number;
                        /** @description The border of what is drawn: opacity, pattern, width, color */
                        border: {
                            [key: string]: unknown;
                        } | null;
                        /** @description For a visualization that draws cells */
                        cell?: {
                            /** @description The zoom level at which they are as wide as the settings say */
                            zoom: number;
                            /** @description Metres at the equator */
                            width: number;
                        };
                        /** @description Width at which the pictures of the entries are as large as on the map, pixels */
                        swatchSize: number;
                        classificators: {
                            /** @description Category, lower limit of a class, value of a bubble; null: what is in no other class */
                            value: unknown;
                            /** @description Colour, #rrggbb */
                            fill: string;
                            /** @description Whether an icon is drawn */
                            isIcon: boolean;
                            /** @description Text of the class in the language of the request; null: objects in no other class */
                            label: string | null;
                            /** @description Objects of the class as the data is now; those of all classes are all objects. null: of a part of every object */
                            count: number | null;
                            /** @description The class begins with it; the first takes what is less, too */
                            from?: number;
                            /** @description The class ends before it; the last takes it and what is more */
                            to?: number;
                            /** @description Width of the marker, pixels */
                            size?: number;
                            opacity?: number;
                            icon?: string;
                            /** @description Its objects are not drawn */
                            hidden?: boolean;
                            /** @description Path of its picture, a PNG of `size` 16 to 512 pixels in its real style */
                            swatch?: string;
                        }[];
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerStructure: {
        parameters: {
            query?: {
                /** @description Adds the names in all languages where they are localized */
                returnNames?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        sort: number;
                        /** @description The column of type title it belongs to; 0 = top level */
                        parent_id: number;
                        code: string;
                        name: string;
                        /** @description Language → name, with `returnNames` */
                        names?: {
                            [key: string]: string;
                        };
                        required: boolean;
                        type: string;
                        localized_name: boolean;
                        localized_value: boolean;
                        /** @description Formatting of values; absent when none was set */
                        format?: {
                            [key: string]: unknown;
                        };
                        /** @description On a change: how many values could not be converted to the new type and are lost */
                        lost?: number;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerStructure: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Latin letters, digits, underscore; at most 44, no digit first */
                    code: string;
                    /** @description Required: number, string, text, datetime, bool, file, title or json; on a change the present one keeps it */
                    type?: string;
                    /** @description A name, or language code → name where localized_name */
                    name?: string | {
                        [key: string]: string;
                    };
                    /** @description Whether objects must have a value */
                    required?: boolean;
                    /** @description Whether the name is a text per language */
                    localized_name?: boolean;
                    /** @description Whether there is a value per language */
                    localized_value?: boolean;
                    /** @description Place in the parent, a fraction lies between; siblings are numbered anew */
                    sort?: number;
                    /** @description A column of type title; 0 = top level */
                    parent_id?: number;
                    /** @description Formatting of values: number {decimals, thousands, decimal, prefix, suffix}, datetime {pattern, zone}, bool {true, false}, string and text {template} with {value}; null: none */
                    format?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        sort: number;
                        /** @description The column of type title it belongs to; 0 = top level */
                        parent_id: number;
                        code: string;
                        name: string;
                        /** @description Language → name, with `returnNames` */
                        names?: {
                            [key: string]: string;
                        };
                        required: boolean;
                        type: string;
                        localized_name: boolean;
                        localized_value: boolean;
                        /** @description Formatting of values; absent when none was set */
                        format?: {
                            [key: string]: unknown;
                        };
                        /** @description On a change: how many values could not be converted to the new type and are lost */
                        lost?: number;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putMapLayerStructureField: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Code of the column */
                field: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    code?: string;
                    /** @description Required: number, string, text, datetime, bool, file, title or json; on a change the present one keeps it */
                    type?: string;
                    /** @description A name, or language code → name where localized_name */
                    name?: string | {
                        [key: string]: string;
                    };
                    /** @description Whether objects must have a value */
                    required?: boolean;
                    /** @description Whether the name is a text per language */
                    localized_name?: boolean;
                    /** @description Whether there is a value per language */
                    localized_value?: boolean;
                    /** @description Place in the parent, a fraction lies between; siblings are numbered anew */
                    sort?: number;
                    /** @description A column of type title; 0 = top level */
                    parent_id?: number;
                    /** @description Formatting of values: number {decimals, thousands, decimal, prefix, suffix}, datetime {pattern, zone}, bool {true, false}, string and text {template} with {value}; null: none */
                    format?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        sort: number;
                        /** @description The column of type title it belongs to; 0 = top level */
                        parent_id: number;
                        code: string;
                        name: string;
                        /** @description Language → name, with `returnNames` */
                        names?: {
                            [key: string]: string;
                        };
                        required: boolean;
                        type: string;
                        localized_name: boolean;
                        localized_value: boolean;
                        /** @description Formatting of values; absent when none was set */
                        format?: {
                            [key: string]: unknown;
                        };
                        /** @description On a change: how many values could not be converted to the new type and are lost */
                        lost?: number;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMapLayerStructureField: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Code of the column */
                field: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchMapLayerStructureField: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Code of the column */
                field: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    code?: string;
                    /** @description Required: number, string, text, datetime, bool, file, title or json; on a change the present one keeps it */
                    type?: string;
                    /** @description A name, or language code → name where localized_name */
                    name?: string | {
                        [key: string]: string;
                    };
                    /** @description Whether objects must have a value */
                    required?: boolean;
                    /** @description Whether the name is a text per language */
                    localized_name?: boolean;
                    /** @description Whether there is a value per language */
                    localized_value?: boolean;
                    /** @description Place in the parent, a fraction lies between; siblings are numbered anew */
                    sort?: number;
                    /** @description A column of type title; 0 = top level */
                    parent_id?: number;
                    /** @description Formatting of values: number {decimals, thousands, decimal, prefix, suffix}, datetime {pattern, zone}, bool {true, false}, string and text {template} with {value}; null: none */
                    format?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        sort: number;
                        /** @description The column of type title it belongs to; 0 = top level */
                        parent_id: number;
                        code: string;
                        name: string;
                        /** @description Language → name, with `returnNames` */
                        names?: {
                            [key: string]: string;
                        };
                        required: boolean;
                        type: string;
                        localized_name: boolean;
                        localized_value: boolean;
                        /** @description Formatting of values; absent when none was set */
                        format?: {
                            [key: string]: unknown;
                        };
                        /** @description On a change: how many values could not be converted to the new type and are lost */
                        lost?: number;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerStructureFieldConversion: {
        parameters: {
            query: {
                /** @description The new type */
                type: string;
                /** @description As it is when absent */
                localized_value?: boolean;
                /** @description Most examples */
                examples?: number;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Code of the column */
                field: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Objects with a value in the column */
                        values: number;
                        /** @description Values that cannot be converted; each language counts as one */
                        lost: number;
                        /** @description Objects whose value would be lost, by id */
                        examples: {
                            /** @description svc_id */
                            id: number;
                            /** @description The value; a long one by its first 200 characters */
                            value: unknown;
                        }[];
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerConstraints: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description unique, check, range or dictionary */
                        type: string;
                        name: string;
                        /** @description Codes of the columns */
                        columns: string[];
                        /** @description check: the allowed values; range: the least and the most, null where open; dictionary: its values, at most 1,000 */
                        definition: unknown[];
                        /** @description CQL2-JSON that finds the invalid objects (check, range), else what is invalid in words */
                        raw_definition: string;
                        /** @description Whether what was stored before passed the check */
                        validated: boolean;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerConstraints: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description unique, check or range; a dictionary is made by dictionaries/<layer>/ */
                    type: string;
                    /** @description Made from the columns when absent */
                    name?: string;
                    /** @description Codes; several for unique alone */
                    columns: string[];
                    /** @description As it is returned */
                    definition?: unknown[];
                    /**
                     * @description false: what is stored already may violate it
                     * @default true
                     */
                    validate?: boolean;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description unique, check, range or dictionary */
                        type: string;
                        name: string;
                        /** @description Codes of the columns */
                        columns: string[];
                        /** @description check: the allowed values; range: the least and the most, null where open; dictionary: its values, at most 1,000 */
                        definition: unknown[];
                        /** @description CQL2-JSON that finds the invalid objects (check, range), else what is invalid in words */
                        raw_definition: string;
                        /** @description Whether what was stored before passed the check */
                        validated: boolean;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMapLayerConstraints: {
        parameters: {
            query?: {
                /** @description Its name, where not in the body */
                name?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description unique, check, range or dictionary */
                        type: string;
                        name: string;
                        /** @description Codes of the columns */
                        columns: string[];
                        /** @description check: the allowed values; range: the least and the most, null where open; dictionary: its values, at most 1,000 */
                        definition: unknown[];
                        /** @description CQL2-JSON that finds the invalid objects (check, range), else what is invalid in words */
                        raw_definition: string;
                        /** @description Whether what was stored before passed the check */
                        validated: boolean;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerConstraintsViolations: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description unique, check, range or dictionary */
                    type: string;
                    /** @description Codes; several for unique alone */
                    columns: string[];
                    /** @description As it is returned */
                    definition?: unknown[];
                    /** @description Map of the dictionary; the same map when absent */
                    dict_map_code?: string;
                    /** @description Layer of the dictionary */
                    dict_layer_code?: string;
                    /** @description The column with its values */
                    dict_column_code?: string;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Values of the first column; each language counts as one */
                        values: number;
                        /** @description Those that the constraint would refuse */
                        violations: number;
                        /** @description Ten of them, by id */
                        examples: {
                            /** @description svc_id */
                            id: number;
                            /** @description A long one by its first 200 characters */
                            value: string;
                        }[];
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapDictionaries: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the constraint */
                        constraint_name: string;
                        /** @description Map of the column */
                        map_code: string;
                        /** @description Layer of the column */
                        layer_code: string;
                        /** @description The column */
                        column_code: string;
                        /** @description Map of the dictionary */
                        dict_map_code: string;
                        /** @description Layer of the dictionary */
                        dict_layer_code: string;
                        /** @description The column with its values */
                        dict_column_code: string;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapDictionariesLayer: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the constraint */
                        constraint_name: string;
                        /** @description Map of the column */
                        map_code: string;
                        /** @description Layer of the column */
                        layer_code: string;
                        /** @description The column */
                        column_code: string;
                        /** @description Map of the dictionary */
                        dict_map_code: string;
                        /** @description Layer of the dictionary */
                        dict_layer_code: string;
                        /** @description The column with its values */
                        dict_column_code: string;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapDictionariesLayer: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The column */
                    column_code: string;
                    /** @description Map of the dictionary; the same map when absent */
                    dict_map_code?: string;
                    /** @description Layer of the dictionary */
                    dict_layer_code: string;
                    /** @description The column with its values */
                    dict_column_code: string;
                    /** @description Made from the column when absent */
                    constraint_name?: string;
                    /**
                     * @description false: what is stored may violate it
                     * @default true
                     */
                    validate?: boolean;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the constraint */
                        constraint_name: string;
                        /** @description Map of the column */
                        map_code: string;
                        /** @description Layer of the column */
                        layer_code: string;
                        /** @description The column */
                        column_code: string;
                        /** @description Map of the dictionary */
                        dict_map_code: string;
                        /** @description Layer of the dictionary */
                        dict_layer_code: string;
                        /** @description The column with its values */
                        dict_column_code: string;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMapDictionariesLayer: {
        parameters: {
            query?: {
                /** @description Where not in the body */
                constraint_name?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    constraint_name?: string;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the constraint */
                        constraint_name: string;
                        /** @description Map of the column */
                        map_code: string;
                        /** @description Layer of the column */
                        layer_code: string;
                        /** @description The column */
                        column_code: string;
                        /** @description Map of the dictionary */
                        dict_map_code: string;
                        /** @description Layer of the dictionary */
                        dict_layer_code: string;
                        /** @description The column with its values */
                        dict_column_code: string;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapDictionariesF: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ids of the map, the layer and the column, joined by underscores */
                        id: string;
                        /** @description How what is typed is compared with the values */
                        match_type: "equal" | "prefix" | "contains";
                        /** @description Delimiters between several values; empty: one value */
                        multi_delimiter: string;
                        /** @description Map of the column */
                        map_code: string;
                        /** @description Layer of the column */
                        layer_code: string;
                        /** @description The column */
                        column_code: string;
                        /** @description Map of the dictionary */
                        dict_map_code: string;
                        /** @description Layer of the dictionary */
                        dict_layer_code: string;
                        /** @description The column with its values */
                        dict_column_code: string;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapDictionariesFLayer: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ids of the map, the layer and the column, joined by underscores */
                        id: string;
                        /** @description How what is typed is compared with the values */
                        match_type: "equal" | "prefix" | "contains";
                        /** @description Delimiters between several values; empty: one value */
                        multi_delimiter: string;
                        /** @description Map of the column */
                        map_code: string;
                        /** @description Layer of the column */
                        layer_code: string;
                        /** @description The column */
                        column_code: string;
                        /** @description Map of the dictionary */
                        dict_map_code: string;
                        /** @description Layer of the dictionary */
                        dict_layer_code: string;
                        /** @description The column with its values */
                        dict_column_code: string;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapDictionariesFLayer: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The column */
                    column_code: string;
                    /** @description Map of the dictionary; the same map when absent */
                    dict_map_code?: string;
                    /** @description Layer of the dictionary */
                    dict_layer_code: string;
                    /** @description The column with its values */
                    dict_column_code: string;
                    /** @description How what is typed is compared with the values */
                    match_type?: "equal" | "prefix" | "contains";
                    /** @description Delimiters between several values */
                    multi_delimiter?: string;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ids of the map, the layer and the column, joined by underscores */
                        id: string;
                        /** @description How what is typed is compared with the values */
                        match_type: "equal" | "prefix" | "contains";
                        /** @description Delimiters between several values; empty: one value */
                        multi_delimiter: string;
                        /** @description Map of the column */
                        map_code: string;
                        /** @description Layer of the column */
                        layer_code: string;
                        /** @description The column */
                        column_code: string;
                        /** @description Map of the dictionary */
                        dict_map_code: string;
                        /** @description Layer of the dictionary */
                        dict_layer_code: string;
                        /** @description The column with its values */
                        dict_column_code: string;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMapDictionariesFLayer: {
        parameters: {
            query?: {
                /** @description Where not in the body */
                column_code?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    column_code?: string;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ids of the map, the layer and the column, joined by underscores */
                        id: string;
                        /** @description How what is typed is compared with the values */
                        match_type: "equal" | "prefix" | "contains";
                        /** @description Delimiters between several values; empty: one value */
                        multi_delimiter: string;
                        /** @description Map of the column */
                        map_code: string;
                        /** @description Layer of the column */
                        layer_code: string;
                        /** @description The column */
                        column_code: string;
                        /** @description Map of the dictionary */
                        dict_map_code: string;
                        /** @description Layer of the dictionary */
                        dict_layer_code: string;
                        /** @description The column with its values */
                        dict_column_code: string;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerCount: {
        parameters: {
            query?: {
                /** @description 1: exact; 0: exact up to 10,000 objects, above that a fast estimate */
                precise?: "0" | "1" | "true" | "false";
                /** @description A CQL2 filter over the columns and `geom`: CQL2-JSON, or CQL2 text such as `people > 1000 AND name LIKE 'A%'` */
                filter?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerObjects: {
        parameters: {
            query?: {
                /** @description Codes of the columns to return, separated by commas; `*` for all of the user (svc_id is `id`) */
                fields?: string;
                /** @description Code of the column to filter by; it must be listed in fields */
                fcode?: string;
                /** @description Value of the filter column, compared in its type; several are separated by a vertical bar */
                fval?: string;
                /** @description Objects to leave out at the beginning; 10,000,000 at most (a setting of the service), behind that a list goes on with cursor */
                offset?: number;
                /** @description Most objects; 1,000 when absent, 50,000 at most (settings of the service) */
                limit?: number;
                /** @description In place of offset: empty for the beginning, then what the header Link: rel="next" has. It is as quick at any depth, and no object that stays as it is comes twice or is left out while others are written. An extension of the interface */
                cursor?: string;
                /** @description Columns to sort by, separated by vertical bars: code, comma, a (ascending) or d (descending). Objects without a value come last; equal ones in the order of svc_id */
                sort?: string;
                /** @description SW_LAT,SW_LON,NE_LAT,NE_LON (y before x in 3857 too): objects whose geometry meets the box. It crosses the antimeridian where SW_LON is greater than NE_LON */
                fbbox?: string;
                /** @description 1: `geom` is returned, GeoJSON */
                returnGeom?: "0" | "1" | "true" | "false";
                /** @description Projection of geometries, as sent and as returned */
                geomSR?: "4326" | "3857";
                /** @description Geometries are simplified by half a pixel at this zoom; as stored when absent */
                geomZoom?: number;
                /** @description 1: with returnGeom the centroid, a Point, is returned in place of the geometry */
                returnCentroid?: "0" | "1" | "true" | "false";
                /** @description 1: `bbox` is returned */
                returnBbox?: "0" | "1" | "true" | "false";
                /** @description Projection of fbbox and of returned bounding boxes */
                bboxSR?: "4326" | "3857";
                /** @description A CQL2 filter over the columns and `geom`: CQL2-JSON, or CQL2 text such as `people > 1000 AND name LIKE 'A%'` */
                filter?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The objects; a header Link: rel="next" when there are more, and Cartulary-Truncated: <layer code>=<kept>/<of> where it was the service that set the limit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description svc_id */
                        id: number;
                        /** @description Column code → value */
                        fields: {
                            [key: string]: unknown;
                        };
                        /** @description GeoJSON geometry or null; with returnGeom */
                        geom?: unknown;
                        /** @description Corners as [lat, lon] in 4326 and [y, x] in 3857, null without a geometry; with returnBbox */
                        bbox?: {
                            sw: number[];
                            ne: number[];
                        } | null;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerObjects: {
        parameters: {
            query?: {
                /** @description 1: `geom` is returned, GeoJSON */
                returnGeom?: "0" | "1" | "true" | "false";
                /** @description Projection of geometries, as sent and as returned */
                geomSR?: "4326" | "3857";
                /** @description Geometries are simplified by half a pixel at this zoom; as stored when absent */
                geomZoom?: number;
                /** @description 1: with returnGeom the centroid, a Point, is returned in place of the geometry */
                returnCentroid?: "0" | "1" | "true" | "false";
                /** @description 1: `bbox` is returned */
                returnBbox?: "0" | "1" | "true" | "false";
                /** @description Projection of fbbox and of returned bounding boxes */
                bboxSR?: "4326" | "3857";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Column code → value. A localized column takes the value of the language lng, or an object language → value. A file column takes ids of files that the object has in it: those that are left out are deleted */
                    fields: {
                        [key: string]: unknown;
                    };
                    /** @description GeoJSON geometry in the projection geomSR; null or absent: none */
                    geom?: unknown;
                };
            };
        };
        responses: {
            /** @description The object */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description svc_id */
                        id: number;
                        /** @description Column code → value */
                        fields: {
                            [key: string]: unknown;
                        };
                        /** @description GeoJSON geometry or null; with returnGeom */
                        geom?: unknown;
                        /** @description Corners as [lat, lon] in 4326 and [y, x] in 3857, null without a geometry; with returnBbox */
                        bbox?: {
                            sw: number[];
                            ne: number[];
                        } | null;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMapLayerObjects: {
        parameters: {
            query?: {
                /** @description In place of the body */
                delete_params?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Ids separated by semicolons, or first-last */
                    delete_params?: string;
                } | null;
            };
        };
        responses: {
            /** @description true */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerFilter: {
        parameters: {
            query?: {
                /** @description Codes of the columns to return, separated by commas; `*` for all of the user (svc_id is `id`) */
                fields?: string;
                /** @description Code of the column to filter by; it must be listed in fields */
                fcode?: string;
                /** @description Value of the filter column, compared in its type; several are separated by a vertical bar */
                fval?: string;
                /** @description Objects to leave out at the beginning; 10,000,000 at most (a setting of the service), behind that a list goes on with cursor */
                offset?: number;
                /** @description Most objects; 1,000 when absent, 50,000 at most (settings of the service) */
                limit?: number;
                /** @description In place of offset: empty for the beginning, then what the header Link: rel="next" has. It is as quick at any depth, and no object that stays as it is comes twice or is left out while others are written. An extension of the interface */
                cursor?: string;
                /** @description Columns to sort by, separated by vertical bars: code, comma, a (ascending) or d (descending). Objects without a value come last; equal ones in the order of svc_id */
                sort?: string;
                /** @description SW_LAT,SW_LON,NE_LAT,NE_LON (y before x in 3857 too): objects whose geometry meets the box. It crosses the antimeridian where SW_LON is greater than NE_LON */
                fbbox?: string;
                /** @description 1: `geom` is returned, GeoJSON */
                returnGeom?: "0" | "1" | "true" | "false";
                /** @description Projection of geometries, as sent and as returned */
                geomSR?: "4326" | "3857";
                /** @description Geometries are simplified by half a pixel at this zoom; as stored when absent */
                geomZoom?: number;
                /** @description 1: with returnGeom the centroid, a Point, is returned in place of the geometry */
                returnCentroid?: "0" | "1" | "true" | "false";
                /** @description 1: `bbox` is returned */
                returnBbox?: "0" | "1" | "true" | "false";
                /** @description Projection of fbbox and of returned bounding boxes */
                bboxSR?: "4326" | "3857";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        /** @description The parameters of the object list */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Codes of the columns to return: text as in the query, or an array */
                    fields?: unknown;
                    /** @description As in the query of the object list */
                    fcode?: unknown;
                    /** @description As in the query of the object list */
                    fval?: unknown;
                    /** @description As in the query of the object list */
                    offset?: unknown;
                    /** @description As in the query of the object list */
                    limit?: unknown;
                    /** @description As in the query of the object list */
                    cursor?: unknown;
                    /** @description As in the query of the object list */
                    sort?: unknown;
                    /** @description SW_LAT,SW_LON,NE_LAT,NE_LON: text or an array of four numbers */
                    fbbox?: unknown;
                    /** @description As in the query of the object list */
                    returnGeom?: unknown;
                    /** @description As in the query of the object list */
                    geomSR?: unknown;
                    /** @description As in the query of the object list */
                    geomZoom?: unknown;
                    /** @description As in the query of the object list */
                    returnCentroid?: unknown;
                    /** @description As in the query of the object list */
                    returnBbox?: unknown;
                    /** @description As in the query of the object list */
                    bboxSR?: unknown;
                    /** @description As in the query of the object list */
                    lng?: unknown;
                    /** @description As in the query of the object list */
                    f?: unknown;
                    /** @description As in the query of the object list */
                    token?: unknown;
                    /** @description A CQL2 filter over the columns and `geom`: CQL2-JSON, or CQL2 text such as `people > 1000 AND name LIKE 'A%'`; in a JSON body the JSON itself, too */
                    filter?: unknown;
                } | null;
            };
        };
        responses: {
            /** @description The objects; a header Link: rel="next" when there are more, and Cartulary-Truncated: <layer code>=<kept>/<of> where it was the service that set the limit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description svc_id */
                        id: number;
                        /** @description Column code → value */
                        fields: {
                            [key: string]: unknown;
                        };
                        /** @description GeoJSON geometry or null; with returnGeom */
                        geom?: unknown;
                        /** @description Corners as [lat, lon] in 4326 and [y, x] in 3857, null without a geometry; with returnBbox */
                        bbox?: {
                            sw: number[];
                            ne: number[];
                        } | null;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerObject: {
        parameters: {
            query?: {
                /** @description 1: `geom` is returned, GeoJSON */
                returnGeom?: "0" | "1" | "true" | "false";
                /** @description Projection of geometries, as sent and as returned */
                geomSR?: "4326" | "3857";
                /** @description Geometries are simplified by half a pixel at this zoom; as stored when absent */
                geomZoom?: number;
                /** @description 1: with returnGeom the centroid, a Point, is returned in place of the geometry */
                returnCentroid?: "0" | "1" | "true" | "false";
                /** @description 1: `bbox` is returned */
                returnBbox?: "0" | "1" | "true" | "false";
                /** @description Projection of fbbox and of returned bounding boxes */
                bboxSR?: "4326" | "3857";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format; pdf: a feature sheet of the object to read and print */
                f?: "json" | "fjson" | "pdf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Id of the object, its svc_id */
                object: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The object; with f=pdf a PDF */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description svc_id */
                        id: number;
                        /** @description Column code → value */
                        fields: {
                            [key: string]: unknown;
                        };
                        /** @description GeoJSON geometry or null; with returnGeom */
                        geom?: unknown;
                        /** @description Corners as [lat, lon] in 4326 and [y, x] in 3857, null without a geometry; with returnBbox */
                        bbox?: {
                            sw: number[];
                            ne: number[];
                        } | null;
                    };
                    "application/pdf": string;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putMapLayerObject: {
        parameters: {
            query?: {
                /** @description 1: `geom` is returned, GeoJSON */
                returnGeom?: "0" | "1" | "true" | "false";
                /** @description Projection of geometries, as sent and as returned */
                geomSR?: "4326" | "3857";
                /** @description Geometries are simplified by half a pixel at this zoom; as stored when absent */
                geomZoom?: number;
                /** @description 1: with returnGeom the centroid, a Point, is returned in place of the geometry */
                returnCentroid?: "0" | "1" | "true" | "false";
                /** @description 1: `bbox` is returned */
                returnBbox?: "0" | "1" | "true" | "false";
                /** @description Projection of fbbox and of returned bounding boxes */
                bboxSR?: "4326" | "3857";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Id of the object, its svc_id */
                object: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Column code → value. A localized column takes the value of the language lng, or an object language → value. A file column takes ids of files that the object has in it: those that are left out are deleted */
                    fields?: {
                        [key: string]: unknown;
                    };
                    /** @description GeoJSON geometry in the projection geomSR; null removes it; absent: unchanged */
                    geom?: unknown;
                } | null;
            };
        };
        responses: {
            /** @description The object */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description svc_id */
                        id: number;
                        /** @description Column code → value */
                        fields: {
                            [key: string]: unknown;
                        };
                        /** @description GeoJSON geometry or null; with returnGeom */
                        geom?: unknown;
                        /** @description Corners as [lat, lon] in 4326 and [y, x] in 3857, null without a geometry; with returnBbox */
                        bbox?: {
                            sw: number[];
                            ne: number[];
                        } | null;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMapLayerObject: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Id of the object, its svc_id */
                object: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description true */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerStatistics: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Code of the column */
                    column: string;
                    /** @description A CQL2 filter over the columns and `geom`: CQL2-JSON, or CQL2 text such as `people > 1000 AND name LIKE 'A%'`; in a JSON body the JSON itself, too */
                    filter?: unknown;
                    /** @description SW_LAT,SW_LON,NE_LAT,NE_LON: text or an array of four numbers */
                    fbbox?: unknown;
                    /** @description Projection of fbbox: 4326 (default) or 3857 */
                    bboxSR?: unknown;
                    /**
                     * @description Percentiles, 0 to 100. Between two numbers they are interpolated; of dates they are values that occur
                     * @default [
                     *       25,
                     *       50,
                     *       75
                     *     ]
                     */
                    percentiles?: number[];
                    /**
                     * @description Bins of equal width, or of about as many objects each; absent: no histogram
                     * @enum {unknown}
                     */
                    histogram?: "equal" | "quantile";
                    /**
                     * @description Most bins of the histogram
                     * @default 10
                     */
                    bins?: number;
                    /**
                     * @description Most of the most frequent values
                     * @default 10
                     */
                    frequent?: number;
                    /**
                     * @description Different values are counted up to this number
                     * @default 1000
                     */
                    distinct?: number;
                };
            };
        };
        responses: {
            /** @description The statistics */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Objects that meet the filter */
                        count: number;
                        /** @description Those without a value */
                        nulls: number;
                        /** @description Those whose value counts below; a number beyond ±1e100 does not */
                        values: number;
                        /** @description Different values, up to the limit */
                        distinct: number;
                        /** @description Whether there are more than `distinct` */
                        distinct_limited: boolean;
                        /** @description As in an object: number, text, boolean, or ISO 8601 text */
                        min: unknown;
                        /** @description As in an object: number, text, boolean, or ISO 8601 text */
                        max: unknown;
                        /** @description Of numbers */
                        mean: number | null;
                        /** @description Of numbers */
                        sum: number | null;
                        /** @description In the order of the request; empty without values */
                        percentiles: {
                            percentile: number;
                            /** @description As in an object: number, text, boolean, or ISO 8601 text */
                            value: unknown;
                        }[];
                        /** @description Standard deviation of numbers */
                        deviation: number | null;
                        /** @description null where none was asked for */
                        histogram: {
                            /** @description As in an object: number, text, boolean, or ISO 8601 text */
                            from: unknown;
                            /** @description As in an object: number, text, boolean, or ISO 8601 text */
                            to: unknown;
                            /** @description Values from `from` to below `to`; in the last bin up to `to` */
                            count: number;
                        }[] | null;
                        /** @description The most frequent values; texts count by their first 500 characters */
                        frequent: {
                            /** @description As in an object: number, text, boolean, or ISO 8601 text */
                            value: unknown;
                            count: number;
                        }[];
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerStatisticsGroups: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Codes of the columns whose equal values make a group; none: one group of all objects */
                    by: string[];
                    /** @description Codes of number and datetime columns whose statistics are told for each group */
                    of?: string[];
                    /** @description A CQL2 filter over the columns and `geom`: CQL2-JSON, or CQL2 text such as `people > 1000 AND name LIKE 'A%'`; in a JSON body the JSON itself, too */
                    filter?: unknown;
                    /** @description SW_LAT,SW_LON,NE_LAT,NE_LON: text or an array of four numbers */
                    fbbox?: unknown;
                    /** @description Projection of fbbox: 4326 (default) or 3857 */
                    bboxSR?: unknown;
                    /**
                     * @description Percentiles, 0 to 100. Between two numbers they are interpolated; of dates they are values that occur
                     * @default [
                     *       25,
                     *       50,
                     *       75
                     *     ]
                     */
                    percentiles?: number[];
                    /**
                     * @description count: the largest group first; by: in the order of the values of `by`
                     * @default count
                     * @enum {unknown}
                     */
                    sort?: "count" | "by";
                    /** @description Most groups; 1,000 when absent, 10,000 at most (a setting) */
                    limit?: number;
                };
            };
        };
        responses: {
            /** @description The groups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        groups: {
                            /** @description Column code → value; null: objects without one */
                            by: {
                                [key: string]: unknown;
                            };
                            /** @description Objects */
                            count: number;
                            /** @description Column code → its statistics */
                            of: {
                                [key: string]: {
                                    /** @description Values */
                                    count: number;
                                    /** @description As in an object: number, text, boolean, or ISO 8601 text */
                                    min: unknown;
                                    /** @description As in an object: number, text, boolean, or ISO 8601 text */
                                    max: unknown;
                                    /** @description Of numbers */
                                    mean: number | null;
                                    /** @description Of numbers */
                                    sum: number | null;
                                    /** @description In the order of the request; empty without values */
                                    percentiles: {
                                        percentile: number;
                                        /** @description As in an object: number, text, boolean, or ISO 8601 text */
                                        value: unknown;
                                    }[];
                                };
                            };
                        }[];
                        /** @description Whether there are further groups */
                        more: boolean;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerObjectsBatch: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Projection of geometries, as sent and as returned */
                geomSR?: "4326" | "3857";
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        /** @description The changes, in this order */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Ids of objects to delete */
                    delete?: number[];
                    /** @description Objects to change, each once: as the body of the change of one, with its id */
                    update?: {
                        id: number;
                        /** @description Column code → value. A localized column takes the value of the language lng, or an object language → value. A file column takes ids of files that the object has in it: those that are left out are deleted */
                        fields?: {
                            [key: string]: unknown;
                        };
                        /** @description GeoJSON geometry in the projection geomSR; null removes it; absent: unchanged */
                        geom?: unknown;
                    }[];
                    /** @description Objects to make */
                    create?: {
                        /** @description Column code → value. A localized column takes the value of the language lng, or an object language → value. A file column takes ids of files that the object has in it: those that are left out are deleted */
                        fields: {
                            [key: string]: unknown;
                        };
                        /** @description GeoJSON geometry in the projection geomSR; null or absent: none */
                        geom?: unknown;
                    }[];
                    /** @description Id → ETag: objects that must still be of this version. Otherwise nothing is done: 412 `changed_meanwhile` */
                    etags?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description What was done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Objects that were deleted */
                        deleted: number;
                        /** @description Objects that were changed */
                        updated: number;
                        /** @description Ids of those that were made, in their order */
                        created: number[];
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerObjectCopy: {
        parameters: {
            query?: {
                /** @description 1: `geom` is returned, GeoJSON */
                returnGeom?: "0" | "1" | "true" | "false";
                /** @description Projection of geometries, as sent and as returned */
                geomSR?: "4326" | "3857";
                /** @description Geometries are simplified by half a pixel at this zoom; as stored when absent */
                geomZoom?: number;
                /** @description 1: with returnGeom the centroid, a Point, is returned in place of the geometry */
                returnCentroid?: "0" | "1" | "true" | "false";
                /** @description 1: `bbox` is returned */
                returnBbox?: "0" | "1" | "true" | "false";
                /** @description Projection of fbbox and of returned bounding boxes */
                bboxSR?: "4326" | "3857";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Id of the object, its svc_id */
                object: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Map of the target layer */
                    map_code: string;
                    /** @description Target layer */
                    layer_code: string;
                };
            };
        };
        responses: {
            /** @description The object */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description svc_id */
                        id: number;
                        /** @description Column code → value */
                        fields: {
                            [key: string]: unknown;
                        };
                        /** @description GeoJSON geometry or null; with returnGeom */
                        geom?: unknown;
                        /** @description Corners as [lat, lon] in 4326 and [y, x] in 3857, null without a geometry; with returnBbox */
                        bbox?: {
                            sw: number[];
                            ne: number[];
                        } | null;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerObjectGeom: {
        parameters: {
            query?: {
                /** @description Projection of geometries, as sent and as returned */
                geomSR?: "4326" | "3857";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Id of the object, its svc_id */
                object: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The geometry */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putMapLayerObjectGeom: {
        parameters: {
            query?: {
                /** @description Projection of geometries, as sent and as returned */
                geomSR?: "4326" | "3857";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Id of the object, its svc_id */
                object: number;
            };
            cookie?: never;
        };
        /** @description GeoJSON geometry; null removes it */
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description The geometry */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerObjectFiles: {
        parameters: {
            query?: {
                /** @description Code of the file column; may stand in the form */
                field?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description object */
                object: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the uploaded file */
                        name: string;
                        /** @description URL of its content */
                        path: string;
                        /** @description Media type, told by the content */
                        mime: string;
                        /** @description In the list of its column */
                        id: number;
                        /** Format: uuid */
                        uuid: string;
                        field: string;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerObjectFiles: {
        parameters: {
            query?: {
                /** @description Code of the file column; may stand in the form */
                field?: string;
                /** @description Id of a resumable upload in place of the form */
                upload?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description object */
                object: number;
            };
            cookie?: never;
        };
        /** @description The file: the body itself, or the variable `file` of a form */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
                "application/octet-stream": string;
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the uploaded file */
                        name: string;
                        /** @description URL of its content */
                        path: string;
                        /** @description Media type, told by the content */
                        mime: string;
                        /** @description In the list of its column */
                        id: number;
                        /** Format: uuid */
                        uuid: string;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMapLayerObjectFile: {
        parameters: {
            query?: {
                /** @description Code of the file column; may stand in the form */
                field?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description object */
                object: number;
                /** @description Id of the file */
                file: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Code of the file column; may stand in the form */
                    field?: string;
                    /** @description As in the query */
                    lng?: string;
                } | null;
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFilesUuid: {
        parameters: {
            query?: {
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Uuid of the file */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapSearch: {
        parameters: {
            query: {
                /** @description Text to search for */
                phrase: string;
                /** @description Language of localized names and values, else the main one of the project */
                lang?: string;
                /** @description Most results */
                limit?: number;
                /** @description Adds the values of all searched columns, which tell results of one name apart */
                returnValues?: "0" | "1" | "true" | "false";
                /** @description Adds the extent of each object in EPSG:4326 */
                returnBbox?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results, the best first; a header Cartulary-Truncated: <layer code>=<kept>/<of> where it was the service that left some out */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        /** @enum {string} */
                        type: "layer";
                        id: number;
                        code: string;
                        /** @description The name that took part in the search */
                        name: string;
                        /** @description 30: phrase and data are the same; 20: all words of the phrase are present; 10: some are */
                        priority: 30 | 20 | 10;
                        /** @description Path of the icon */
                        icon: string;
                    } | {
                        /** @enum {string} */
                        type: "object";
                        /** @description Id of the object in its layer */
                        svc_id: number;
                        /** @description 30: phrase and data are the same; 20: all words of the phrase are present; 10: some are */
                        priority: 30 | 20 | 10;
                        /** @description Code of the layer */
                        layer: string;
                        layer_name: string;
                        /** @description Path of the icon of the layer */
                        layer_icon: string;
                        /** @description Value of the name column; null where it has none */
                        name: unknown;
                        /** @description Code of the name column */
                        name_column: string;
                        /** @description Code of the column that was searched */
                        search_column: string;
                        /** @description Value that took part in the search */
                        value: string;
                        /** @description Searched column → its value, at most 200 characters; with returnValues */
                        values?: {
                            [key: string]: unknown;
                        };
                        /** @description Corners as [lat, lon], null without a geometry; with returnBbox */
                        bbox?: {
                            sw: number[];
                            ne: number[];
                        } | null;
                    })[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerExport: {
        parameters: {
            query?: {
                /** @description Required: one of geojson, shp, mif, tab, kml, kmz, xls, csv, geotif, geojsonl, xlsx, gpkg, fgb, parquet; written by this version: geojson, shp, mif, tab, kml, kmz, xls, csv, geotif, geojsonl, xlsx, gpkg, fgb, parquet */
                format?: string;
                /** @description Languages of localized values, separated by commas; all when empty */
                langs?: string;
                /** @description 1: as a zip archive */
                zip?: "0" | "1" | "true" | "false";
                /** @description Ids of objects, separated by commas; all objects when absent */
                feature_ids?: string;
                /** @description SW_LAT,SW_LON,NE_LAT,NE_LON: objects that meet it */
                fbbox?: string;
                /** @description Projection of fbbox */
                bboxSR?: "4326" | "3857";
                /** @description A CQL2 filter over the columns and `geom`: CQL2-JSON, or CQL2 text such as `people > 1000 AND name LIKE 'A%'` */
                filter?: string;
                /** @description geotif: 1 = the image as it came, 0 = the GeoTIFF in EPSG:3857 that is drawn */
                orig?: "0" | "1" | "true" | "false";
                /** @description 1: answered 202 with a job, which makes the file */
                async?: "0" | "1" | "true" | "false";
                /** @description Encoding of the texts: csv any (default utf-8; utf-8-sig begins with a byte order mark), shp utf-8 (default) or windows-125x, mif and tab windows-1250 to -1257, gbk, shift_jis, euc-kr or big5 (default: the one that holds most of the texts) */
                encoding?: string;
                /** @description For csv, the delimiter: semicolon (default), comma, tab */
                dialect?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": Record<string, unknown>;
                    "*/*": string;
                };
            };
            /** @description With async=1: the job; `Location` is its address */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {unknown} */
                        kind: "import" | "export";
                        /** @description Code of the map; null when the layer may no longer be viewed */
                        map: string | null;
                        /** @description Code of the layer; null when it may no longer be viewed */
                        layer: string | null;
                        /**
                         * @description done, failed and cancelled are final
                         * @enum {unknown}
                         */
                        state: "queued" | "running" | "done" | "failed" | "cancelled";
                        /** @description The current or last phase */
                        phase: ("reading" | "storing" | "indexing" | "writing" | "packing") | null;
                        /** @description Objects processed so far */
                        done: number;
                        /** @description Total number of objects; null if unknown */
                        total: number | null;
                        /** @description Progress of the phase; null if unknown */
                        percent: number | null;
                        /** @description Number of starts: more than one if the service stopped before the job ended */
                        attempts: number;
                        /** Format: date-time */
                        created: string;
                        /** @description Time of the last start; null while it waits */
                        started: string | null;
                        /** @description Time of its end */
                        finished: string | null;
                        /** @description For a completed import the answer of the direct call, for an export its file */
                        result: unknown;
                        /** @description For a failed job the error object of the direct call */
                        error: unknown;
                        /** @description With all=1: its owner; null without one */
                        login?: string | null;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerExport: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Required: one of geojson, shp, mif, tab, kml, kmz, xls, csv, geotif, geojsonl, xlsx, gpkg, fgb, parquet; written by this version: geojson, shp, mif, tab, kml, kmz, xls, csv, geotif, geojsonl, xlsx, gpkg, fgb, parquet */
                    format?: string;
                    /** @description Languages of localized values, separated by commas; all when empty */
                    langs?: string;
                    /**
                     * @description 1: as a zip archive
                     * @default 0
                     * @enum {unknown}
                     */
                    zip?: "0" | "1" | "true" | "false";
                    /** @description Ids of objects, separated by commas; all objects when absent */
                    feature_ids?: string;
                    /** @description SW_LAT,SW_LON,NE_LAT,NE_LON: objects that meet it */
                    fbbox?: string;
                    /**
                     * @description Projection of fbbox
                     * @default 4326
                     * @enum {unknown}
                     */
                    bboxSR?: "4326" | "3857";
                    /** @description A CQL2 filter over the columns and `geom`: CQL2-JSON, or CQL2 text such as `people > 1000 AND name LIKE 'A%'` */
                    filter?: string;
                    /**
                     * @description geotif: 1 = the image as it came, 0 = the GeoTIFF in EPSG:3857 that is drawn
                     * @default 1
                     * @enum {unknown}
                     */
                    orig?: "0" | "1" | "true" | "false";
                    /**
                     * @description 1: answered 202 with a job, which makes the file
                     * @default 0
                     * @enum {unknown}
                     */
                    async?: "0" | "1" | "true" | "false";
                    /** @description Encoding of the texts: csv any (default utf-8; utf-8-sig begins with a byte order mark), shp utf-8 (default) or windows-125x, mif and tab windows-1250 to -1257, gbk, shift_jis, euc-kr or big5 (default: the one that holds most of the texts) */
                    encoding?: string;
                    /** @description For csv, the delimiter: semicolon (default), comma, tab */
                    dialect?: string;
                };
            };
        };
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": Record<string, unknown>;
                    "*/*": string;
                };
            };
            /** @description With async=1: the job; `Location` is its address */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {unknown} */
                        kind: "import" | "export";
                        /** @description Code of the map; null when the layer may no longer be viewed */
                        map: string | null;
                        /** @description Code of the layer; null when it may no longer be viewed */
                        layer: string | null;
                        /**
                         * @description done, failed and cancelled are final
                         * @enum {unknown}
                         */
                        state: "queued" | "running" | "done" | "failed" | "cancelled";
                        /** @description The current or last phase */
                        phase: ("reading" | "storing" | "indexing" | "writing" | "packing") | null;
                        /** @description Objects processed so far */
                        done: number;
                        /** @description Total number of objects; null if unknown */
                        total: number | null;
                        /** @description Progress of the phase; null if unknown */
                        percent: number | null;
                        /** @description Number of starts: more than one if the service stopped before the job ended */
                        attempts: number;
                        /** Format: date-time */
                        created: string;
                        /** @description Time of the last start; null while it waits */
                        started: string | null;
                        /** @description Time of its end */
                        finished: string | null;
                        /** @description For a completed import the answer of the direct call, for an export its file */
                        result: unknown;
                        /** @description For a failed job the error object of the direct call */
                        error: unknown;
                        /** @description With all=1: its owner; null without one */
                        login?: string | null;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFilesUploads: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** @description Bytes of the whole file */
                        size: number;
                        /** @description Bytes that have come */
                        offset: number;
                        /** @description When it is removed unless bytes come; ISO 8601 */
                        expires: string;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postFilesUploads: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description 1.0.0, the version of the protocol; needed */
                "tus-resumable"?: string;
                /** @description Bytes of the whole file; needed */
                "upload-length"?: string;
                /** @description `filename`, a space, and the name in base64 */
                "upload-metadata"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** @description Bytes of the whole file */
                        size: number;
                        /** @description Bytes that have come */
                        offset: number;
                        /** @description When it is removed unless bytes come; ISO 8601 */
                        expires: string;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFilesUpload: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Id of the upload */
                upload: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** @description Bytes of the whole file */
                        size: number;
                        /** @description Bytes that have come */
                        offset: number;
                        /** @description When it is removed unless bytes come; ISO 8601 */
                        expires: string;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteFilesUpload: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description 1.0.0, the version of the protocol; needed */
                "tus-resumable"?: string;
            };
            path: {
                /** @description Id of the upload */
                upload: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchFilesUpload: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description 1.0.0, the version of the protocol; needed */
                "tus-resumable"?: string;
                /** @description Where the part begins: the bytes that have come; needed */
                "upload-offset"?: string;
                /** @description sha1 or sha256, a space, and the checksum of the part in base64 */
                "upload-checksum"?: string;
            };
            path: {
                /** @description Id of the upload */
                upload: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has been stored */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerMakevalid: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The layer without its style */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description layer or virtual */
                        type: string;
                        code: string;
                        name: string;
                        sort: number;
                        parent_id: number;
                        selected: boolean;
                        /** @description The same as id */
                        map_layer_id: number;
                        icon: string;
                        /**
                         * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description 0 not set, 1 simple style, 2 CartoCSS, 3 visualization, 4 custom visualization */
                        style_mode: number;
                        /** @description Metadata of a raster */
                        meta: {
                            [key: string]: unknown;
                        };
                        /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                        render_settings: {
                            /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                            minZoom?: unknown;
                            /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                            maxZoom?: unknown;
                            /** @description 0 to 1 (default); times that of the map */
                            opacity?: unknown;
                            /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                            buffer?: unknown;
                            /** @description Whether tiles are kept in memory; default true */
                            cache?: unknown;
                        };
                        /** @description null: nothing in the layer has a geometry */
                        bbox?: {
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            sw: number[];
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            ne: number[];
                        } | null;
                        /** @description Settings of the layer; its query only for those who may edit it; of a materialized layer also refreshed: at, rows */
                        json: {
                            [key: string]: unknown;
                        };
                        /** @description A style of colours and sizes, in place of css_style. Colours are #rgb or #rrggbb */
                        simpleStyle?: {
                            /** @description Inside of areas: a colour; null (default): not filled */
                            fill?: unknown;
                            /** @description 0 to 1 (default) */
                            fillOpacity?: unknown;
                            /** @description Lines, and outlines of areas: a colour; null (default): none */
                            stroke?: unknown;
                            /** @description Pixels, 0 to 100; default 1 */
                            strokeWidth?: unknown;
                            /** @description 0 to 1 (default) */
                            strokeOpacity?: unknown;
                            /** @description Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line */
                            strokeDash?: unknown;
                            /** @description What stands for points; null (default): nothing */
                            marker?: {
                                /** @description circle (default), arrow, square, triangle, diamond, star, cross or pin */
                                shape?: unknown;
                                /** @description The name of an icon of the project, which goes before the shape; default empty */
                                icon?: unknown;
                                /** @description Width, pixels, 1 to 500; default 10 */
                                size?: unknown;
                                /** @description A colour; default #d9480f */
                                color?: unknown;
                                /** @description 0 to 1 (default) */
                                opacity?: unknown;
                                /** @description Its edge: a colour; null (default): none */
                                stroke?: unknown;
                                /** @description Pixels, 0 to 100; default 1 */
                                strokeWidth?: unknown;
                            };
                            /** @description What is written; null (default): nothing */
                            label?: {
                                /** @description Required: the code of the column whose values are written */
                                column?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                font?: unknown;
                                /** @description Pixels, 4 to 200; default 12 */
                                size?: unknown;
                                /** @description A colour; default #333333 */
                                color?: unknown;
                                /** @description Around the letters: a colour; null (default): none */
                                halo?: unknown;
                                /** @description Pixels, 0 to 20; default 1.5 */
                                haloWidth?: unknown;
                                /** @description The zoom level from which on it is written, 0 (default) to 24 */
                                minZoom?: unknown;
                            };
                        };
                        /** @description A visualization of the types 1 to 7, replaced as a whole: what is absent has its default. Colours are #rrggbb, #rgb or rgb(r, g, b) */
                        visualSettings?: {
                            /** @description Of the visualization; not to be changed */
                            id?: unknown;
                            /** @description Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map */
                            type?: unknown;
                            /** @description Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none */
                            column?: unknown;
                            /** @description Its code, in place of the id */
                            columnCode?: unknown;
                            /** @description Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks */
                            algorithm?: unknown;
                            /** @description Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3 */
                            classesCount?: unknown;
                            /** @description By type */
                            classesSettings?: {
                                /** @description 0 to 1; default 0.9 (type 3: 0.75; type 7 has layerOpacity) */
                                opacity?: unknown;
                                /** @description Types 1 and 2: of lines, pixels, 0.1 to 50; default 2 */
                                lineWidth?: unknown;
                                /** @description Types 1 and 2: solid (default), dash, dot or dashdot */
                                linePattern?: unknown;
                                /** @description Type 1: colour of the lowest class; default #ffffcc */
                                minColor?: unknown;
                                /** @description Type 1: colour in the middle, null: none; default #41b6c4 */
                                midColor?: unknown;
                                /** @description Type 1: colour of the highest class; default #253494 */
                                maxColor?: unknown;
                                /** @description Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd */
                                noDataColor?: unknown;
                                /** @description Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data */
                                limits?: unknown;
                                /** @description Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values */
                                classes?: unknown;
                                /** @description Type 2: whether the service made the classes; sent back they are made again */
                                computed?: unknown;
                                /** @description Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked} */
                                defaultClass?: unknown;
                                /** @description Type 3: default #e6550d */
                                color?: unknown;
                                /** @description Type 3: least width, pixels, 1 to 200; default 4 */
                                pointSizeMin?: unknown;
                                /** @description Type 3: greatest width, pixels, 1 to 200; default 40 */
                                pointSizeMax?: unknown;
                                /** @description Type 3: the name of an icon */
                                icon?: unknown;
                                /** @description Type 3: whether it is drawn in place of a circle; default false */
                                useIcon?: unknown;
                                /** @description Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters */
                                columns?: unknown;
                                /** @description Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column */
                                sizeType?: unknown;
                                /** @description Types 4 to 6: fixed width, pixels, 4 to 200; default 40 */
                                sizeValue?: unknown;
                                /** @description Types 4 to 6: least width, pixels, 4 to 200; default 20 */
                                sizeFrom?: unknown;
                                /** @description Types 4 to 6: greatest width, pixels, 4 to 200; default 60 */
                                sizeTo?: unknown;
                                /** @description Types 4 to 6: id of the column of sizeType 3 */
                                sizeColumn?: unknown;
                                /** @description Types 4 to 6: its code, in place of the id */
                                sizeColumnCode?: unknown;
                                /** @description Types 5 and 6: whether axes are drawn; default false */
                                showScale?: unknown;
                                /** @description Types 4 to 6: whether charts may touch; default true */
                                allowOverlap?: unknown;
                                /** @description Type 7: fixed (default) or field */
                                markerSizeType?: unknown;
                                /** @description Type 7: how far an object reaches, pixels, 2 to 100; default 20 */
                                markerSize?: unknown;
                                /** @description Type 7: the least of field, pixels, 2 to 100; default 8 */
                                markerSizeMin?: unknown;
                                /** @description Type 7: the greatest of field, pixels, 2 to 100; default 40 */
                                markerSizeMax?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                markerSizeField?: unknown;
                                /** @description Type 7: factor of the density, 0 to 1 (default) */
                                markerOpacity?: unknown;
                                /** @description Type 7: 0 to 1; default 0.85 */
                                layerOpacity?: unknown;
                                /** @description Type 7: whether objects count as useWeightField says; default false */
                                useWeight?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                useWeightField?: unknown;
                                /** @description Type 7: whether weights count from 0 to 1; default false */
                                weightNormalize?: unknown;
                                /** @description Type 7: the weight that counts 0; default null: the least of the data */
                                weightNormalizeMin?: unknown;
                                /** @description Type 7: the weight that counts 1; default null: the greatest of the data */
                                weightNormalizeMax?: unknown;
                                /** @description Type 7: whether sizes grow with the map; default false */
                                linkToScale?: unknown;
                                /** @description Type 7: the zoom level at which they hold, 0 to 24; default 5 */
                                linkToScaleZoom?: unknown;
                                /** @description Type 7: 2 to 20 colours from cold to hot */
                                colors?: unknown;
                            };
                            /** @description Markers of points */
                            pointSettings?: {
                                /** @description Whether size counts; default false: 10 pixels */
                                sizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 200; default 10 */
                                size?: unknown;
                                /** @description Whether markers may touch; default true */
                                allowOverlap?: unknown;
                            };
                            /** @description Whether areas and markers have an edge, and lines a casing; default true */
                            showBorder?: unknown;
                            /** @description The edge */
                            borderSettings?: {
                                /** @description Default #ffffff */
                                color?: unknown;
                                /** @description Pixels, 0 to 20; default 0.5 */
                                width?: unknown;
                                /** @description 0 to 1; default 1 */
                                opacity?: unknown;
                                /** @description solid (default), dash, dot or dashdot */
                                pattern?: unknown;
                            };
                            /** @description Whether labels are written; default false */
                            showText?: unknown;
                            /** @description Labels */
                            textSettings?: {
                                /** @description Code of the column that is written; required where showText is true */
                                column?: unknown;
                                /** @description Pixels, 4 to 72; default 11 */
                                fontSize?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                fontFamily?: unknown;
                                /** @description Default #333333 */
                                fontColor?: unknown;
                                /** @description 0 to 1; default 1 */
                                fontOpacity?: unknown;
                                /** @description Whether letters have a halo; default true */
                                halo?: unknown;
                                /** @description Default #ffffff */
                                haloColor?: unknown;
                                /** @description Pixels, 0 to 10; default 1.5 */
                                haloWidth?: unknown;
                                /** @description 0 to 1; default 1 */
                                haloOpacity?: unknown;
                                /** @description Whether labels may touch; default false */
                                allowOverlap?: unknown;
                                /** @description Whether textOffset counts; default false */
                                offsetEnabled?: unknown;
                                /** @description Below the place, pixels, -200 to 200; default 0 */
                                textOffset?: unknown;
                            };
                            /** @description Whether viewers show the legend; default true */
                            showLegend?: unknown;
                            /** @description Whether its title is shown; default true */
                            showLegendName?: unknown;
                            /** @description Its title, at most 1,000 characters; default empty: the name of the layer */
                            legendName?: unknown;
                            /** @description Titles by language: at most 200 of {language: title}; they go before legendName */
                            legendNames?: unknown;
                            /** @description Whether numbers of objects are shown; default true */
                            showValues?: unknown;
                        };
                        /** @description id; type, the name of the plugin: hexbin; columns, UUID → id of a column; icons, UUID → path of an icon; settings, those of the plugin, which name columns and icons by their UUIDs */
                        visualCustomSettings?: {
                            [key: string]: unknown;
                        };
                        /** @description How a client draws the layer where render_type is 1; in a change what is absent keeps its value */
                        vectorSettings?: {
                            /** @description The layer; not to be changed */
                            id?: unknown;
                            /** @description Whether minZoom and maxZoom count; default false */
                            zoomsEnabled?: unknown;
                            /** @description Zoom level, 0 (default) to 24 */
                            minZoom?: unknown;
                            /** @description Zoom level, 0 to 24 (default) */
                            maxZoom?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesPolygon?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesText?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesLine?: unknown;
                            /** @description Of points */
                            stylesPoint?: {
                                /** @description Path of an icon; default empty: a circle */
                                icon?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                            };
                            /** @description Whether points that are near are drawn as one; default false */
                            clusteringEnabled?: unknown;
                            /** @description Of clusters */
                            clusterSettings?: {
                                /** @description client */
                                clusteringType?: unknown;
                                /** @description How near, pixels, 1 to 500; default 50 */
                                radius?: unknown;
                                /** @description Whether maxZoom counts; default false */
                                maxZoomEnabled?: unknown;
                                /** @description The last zoom level with clusters, 0 to 24; default 16 */
                                maxZoom?: unknown;
                                /** @description Whether icon is drawn; default false */
                                iconEnabled?: unknown;
                                /** @description Path of an icon; default empty */
                                icon?: unknown;
                                /** @description Whether the icon is wider where there are more objects; default false */
                                iconSizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 512; default 30 */
                                iconSizeMin?: unknown;
                                /** @description Width, pixels, 1 to 512; default 60 */
                                iconSizeMax?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                                /** @description Whether the number of objects is written; default true */
                                showObjectsCount?: unknown;
                                /** @description Of the number, to the right. Pixels, -500 to 500; default 0 */
                                objectsCountDx?: unknown;
                                /** @description Of the number, down. Pixels, -500 to 500; default 0 */
                                objectsCountDy?: unknown;
                                /** @description Whether objects of other categories of the visualization are other clusters; default false */
                                splitByCategories?: unknown;
                            };
                            /** @description Whether a click shows the value of a column; default false */
                            showPopup?: unknown;
                            /** @description Id of the column; null (default): none */
                            popupColumn?: unknown;
                            /** @description Code of the column, in place of its id */
                            popupColumnCode?: unknown;
                        };
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapImport: {
        parameters: {
            query?: {
                /** @description Projection: EPSG number, EPSG:n, WKT or proj4; what the file says, or 4326, when absent */
                srs?: string;
                /** @description 1: replace all objects; 2: merge, where a feature with the id of an object changes it */
                action?: "1" | "2";
                /** @description With action=2: codes of columns, separated by commas; a feature changes the object with equal values in them, whatever ids the file has, and is added where there is none */
                key?: string;
                /** @description What becomes of properties, as a JSON array: `property` (its name in the file) with `code` of a column of the layer or of a new one, `name` and `type` of a new one; or with `skip` true. Properties that are not named go into columns as ever */
                columns?: string;
                /** @description Extent of an image: BOX(x_min y_min,x_max y_max) in `srs`; required for an image without a georeference */
                raster_bbox?: string;
                /** @description Names of properties, separated by commas, of which a new column takes values by language: of `name` also from `name_ru`, `name:ru` */
                localized?: string;
                /** @description Encoding of the texts (utf-8, windows-1251, cp866 …); what the file says or its texts look like when absent */
                encoding?: string;
                /** @description Tables: the sign between the cells of a text; found out when absent */
                delimiter?: ";" | "semicolon" | "," | "comma" | "\t" | "tab" | "|" | "pipe";
                /** @description Tables: 1: the first row holds the names of the columns; 0: it does not; found out when absent */
                header?: "0" | "1" | "true" | "false";
                /** @description Tables: the sign before the fraction of numbers; found out for each column when absent */
                decimal?: "." | "point" | "," | "comma";
                /** @description Tables: the column of the longitude, or of x in `srs`; with `y` */
                x?: string;
                /** @description Tables: the column of the latitude, or of y in `srs`; with `x` */
                y?: string;
                /** @description Tables: the column of the geometry, as WKT, WKB in hexadecimal digits, GeoJSON or a pair of coordinates */
                wkt?: string;
                /** @description Tables: `none`: no column is taken for a geometry */
                geometry?: "auto" | "none";
                /** @description Spreadsheets: name of a sheet, or its number from 1; the first one when absent. GeoPackage: the one layer that is read; all when absent */
                sheet?: string;
                /** @description 1: features that cannot be stored are left out and listed; else one of them fails the import */
                skip_errors?: "0" | "1" | "true" | "false";
                /** @description Id of a resumable upload in place of the body; it stays for further imports */
                upload?: string;
                /** @description With dry_run: 1: the body is kept as an upload, whose id the answer names, so that an import can take it */
                keep?: "0" | "1" | "true" | "false";
                /** @description With dry_run: how many of the first features `rows` of the answer shows, 0 (default) to 100 */
                rows?: string;
                /** @description With dry_run: of how many of the first features with geometry `sketch` of the answer shows the simplified geometries, 0 (default) to 1000 */
                sketch?: string;
                /** @description 1: nothing is stored; `import` of the answer says what would be */
                dry_run?: "0" | "1" | "true" | "false";
                /** @description 1: answered 202 with a job when the file has been received; the work goes on after it */
                async?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
                /** @description Type of the layer as it would be made: raster for an image */
                type?: "layer" | "raster";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        /** @description The file: the body itself, or the variable `file` of a form */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
                "application/octet-stream": string;
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        import: {
                            /** @description Features in the file: stored and refused together */
                            read: number;
                            /** @description Objects added or changed */
                            stored: number;
                            /** @description With dry_run: that would be added */
                            added?: number;
                            /** @description With dry_run: that would be changed */
                            changed?: number;
                            /** @description Features left out */
                            refused: number;
                            /** @description The first 100 features left out, by their number from 1, and why */
                            errors: {
                                feature: number;
                                code: string;
                                message: string;
                            }[];
                            format: string;
                            /** @description Encoding of the texts in the file */
                            encoding: string | null;
                            /** @description said: by the parameter or the file; else how sure it is by the texts themselves */
                            encoding_certainty: ("said" | "certain" | "likely" | "uncertain") | null;
                            /** @description Projection of the coordinates in the file */
                            projection: string | null;
                            /** @description Kind of geometry → features */
                            geometries: {
                                [key: string]: number;
                            };
                            /** @description For tables: how each was interpreted */
                            tables?: {
                                delimiter?: string;
                                sheet?: string;
                                /** @description Whether the first row was taken for the names of the columns */
                                header: boolean;
                                /** @description The sign before fractions */
                                decimal: string | null;
                                /** @description Columns that became the geometry */
                                geometry: string[];
                            }[];
                            notes: string[];
                            /** @description With an image: what it is. null: it cannot be imported */
                            raster?: {
                                /** @description picture: colours; values: one band of numbers */
                                kind: string;
                                /** @description Width of the uploaded image, pixels */
                                width: number;
                                height: number;
                                bands: number;
                                /** @description Type of its values: Byte, UInt16, Float32 … */
                                type: string;
                                processed: {
                                    /** @description Width of the image in EPSG:3857, pixels */
                                    width: number;
                                    height: number;
                                    /** @description Metres of EPSG:3857 */
                                    pixel: number;
                                    bands: {
                                        type: string;
                                        nodata: number | null;
                                        min: number | null;
                                        max: number | null;
                                        mean: number | null;
                                        stddev: number | null;
                                        /** @description Below it lie two in a hundred values */
                                        low: number | null;
                                        /** @description Above it lie two in a hundred values */
                                        high: number | null;
                                    }[] | null;
                                };
                                /** @description West, south, east, north in degrees */
                                extent: number[];
                            } | null;
                            /** @description With dry_run of an upload: its id, by which an import takes it */
                            upload?: string;
                            /** @description With dry_run: the columns that take values */
                            columns?: {
                                code: string;
                                name: string;
                                type: string;
                                new: boolean;
                                /** @description The properties that give the values */
                                properties: string[];
                            }[];
                            /** @description With dry_run and rows: the first features as they would be stored */
                            rows?: {
                                /** @description Its number in the file, from 1 */
                                feature: number;
                                /** @description Code of the column → value; a text by its first 500 characters */
                                fields: {
                                    [key: string]: unknown;
                                };
                                /** @description GeoJSON in degrees; null without one, and for more than 1,000 points */
                                geom: unknown;
                            }[];
                            /** @description With dry_run and sketch: a GeoJSON FeatureCollection for a small map, of at most 50,000 positions; ids are numbers of features in the file */
                            sketch?: {
                                type: string;
                                features: unknown[];
                            };
                            /** @description With dry_run: west, south, east, north in degrees */
                            extent?: number[] | null;
                        };
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerImportUndo: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description possible: it can be undone; changed: objects or columns were changed after it, so it cannot; none: no import is kept
                         * @enum {unknown}
                         */
                        state: "none" | "changed" | "possible";
                        import: {
                            file: string | null;
                            /** @description Who imported it; null: the user is gone */
                            login: string | null;
                            imported_at: string;
                            /** @description Until then it is kept */
                            until: string;
                            /** @description Whether it replaced all objects */
                            replaced: boolean;
                            /** @description Objects that it added: they would be deleted */
                            added: number;
                            /** @description Objects that it changed: they would be as before */
                            changed: number;
                            /** @description Objects that it removed: they would come back, with their files */
                            removed: number;
                            /** @description Columns that it made: they would be deleted */
                            columns: string[];
                        } | null;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerImportUndo: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Objects that are deleted */
                        deleted: number;
                        /** @description Objects that are as before */
                        restored: number;
                        /** @description Columns that are deleted */
                        columns: string[];
                        /** @description Columns that stay, without values, since the style of the layer reads them */
                        kept_columns: string[];
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMapLayerImport: {
        parameters: {
            query?: {
                /** @description Projection: EPSG number, EPSG:n, WKT or proj4; what the file says, or 4326, when absent */
                srs?: string;
                /** @description 1: replace all objects; 2: merge, where a feature with the id of an object changes it */
                action?: "1" | "2";
                /** @description With action=2: codes of columns, separated by commas; a feature changes the object with equal values in them, whatever ids the file has, and is added where there is none */
                key?: string;
                /** @description What becomes of properties, as a JSON array: `property` (its name in the file) with `code` of a column of the layer or of a new one, `name` and `type` of a new one; or with `skip` true. Properties that are not named go into columns as ever */
                columns?: string;
                /** @description Extent of an image: BOX(x_min y_min,x_max y_max) in `srs`; required for an image without a georeference */
                raster_bbox?: string;
                /** @description Names of properties, separated by commas, of which a new column takes values by language: of `name` also from `name_ru`, `name:ru` */
                localized?: string;
                /** @description Encoding of the texts (utf-8, windows-1251, cp866 …); what the file says or its texts look like when absent */
                encoding?: string;
                /** @description Tables: the sign between the cells of a text; found out when absent */
                delimiter?: ";" | "semicolon" | "," | "comma" | "\t" | "tab" | "|" | "pipe";
                /** @description Tables: 1: the first row holds the names of the columns; 0: it does not; found out when absent */
                header?: "0" | "1" | "true" | "false";
                /** @description Tables: the sign before the fraction of numbers; found out for each column when absent */
                decimal?: "." | "point" | "," | "comma";
                /** @description Tables: the column of the longitude, or of x in `srs`; with `y` */
                x?: string;
                /** @description Tables: the column of the latitude, or of y in `srs`; with `x` */
                y?: string;
                /** @description Tables: the column of the geometry, as WKT, WKB in hexadecimal digits, GeoJSON or a pair of coordinates */
                wkt?: string;
                /** @description Tables: `none`: no column is taken for a geometry */
                geometry?: "auto" | "none";
                /** @description Spreadsheets: name of a sheet, or its number from 1; the first one when absent. GeoPackage: the one layer that is read; all when absent */
                sheet?: string;
                /** @description 1: features that cannot be stored are left out and listed; else one of them fails the import */
                skip_errors?: "0" | "1" | "true" | "false";
                /** @description Id of a resumable upload in place of the body; it stays for further imports */
                upload?: string;
                /** @description With dry_run: 1: the body is kept as an upload, whose id the answer names, so that an import can take it */
                keep?: "0" | "1" | "true" | "false";
                /** @description With dry_run: how many of the first features `rows` of the answer shows, 0 (default) to 100 */
                rows?: string;
                /** @description With dry_run: of how many of the first features with geometry `sketch` of the answer shows the simplified geometries, 0 (default) to 1000 */
                sketch?: string;
                /** @description 1: nothing is stored; `import` of the answer says what would be */
                dry_run?: "0" | "1" | "true" | "false";
                /** @description 1: answered 202 with a job when the file has been received; the work goes on after it */
                async?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        /** @description The file: the body itself, or the variable `file` of a form */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
                "application/octet-stream": string;
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The layer, and what was imported */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** @description layer or virtual */
                        type: string;
                        code: string;
                        name: string;
                        sort: number;
                        parent_id: number;
                        selected: boolean;
                        /** @description The same as id */
                        map_layer_id: number;
                        icon: string;
                        css_style: string;
                        /**
                         * @description 0 = raster drawn on the server, 1 = vector drawn on the client
                         * @enum {unknown}
                         */
                        render_type: 0 | 1;
                        /** @description 0 not set, 1 simple style, 2 CartoCSS, 3 visualization, 4 custom visualization */
                        style_mode: number;
                        /** @description Metadata of a raster */
                        meta: {
                            [key: string]: unknown;
                        };
                        /** @description How tiles are drawn; those of a map hold for all of its layers. Other fields are kept */
                        render_settings: {
                            /** @description The first zoom level, 0 (default) to 24; the larger one of map and layer */
                            minZoom?: unknown;
                            /** @description The last zoom level, 0 to 24 (default); the smaller one of map and layer */
                            maxZoom?: unknown;
                            /** @description 0 to 1 (default); times that of the map */
                            opacity?: unknown;
                            /** @description Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none */
                            buffer?: unknown;
                            /** @description Whether tiles are kept in memory; default true */
                            cache?: unknown;
                        };
                        /** @description null: nothing in the layer has a geometry */
                        bbox?: {
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            sw: number[];
                            /** @description [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857 */
                            ne: number[];
                        } | null;
                        /** @description Settings of the layer; its query only for those who may edit it; of a materialized layer also refreshed: at, rows */
                        json: {
                            [key: string]: unknown;
                        };
                        /** @description A style of colours and sizes, in place of css_style. Colours are #rgb or #rrggbb */
                        simpleStyle?: {
                            /** @description Inside of areas: a colour; null (default): not filled */
                            fill?: unknown;
                            /** @description 0 to 1 (default) */
                            fillOpacity?: unknown;
                            /** @description Lines, and outlines of areas: a colour; null (default): none */
                            stroke?: unknown;
                            /** @description Pixels, 0 to 100; default 1 */
                            strokeWidth?: unknown;
                            /** @description 0 to 1 (default) */
                            strokeOpacity?: unknown;
                            /** @description Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line */
                            strokeDash?: unknown;
                            /** @description What stands for points; null (default): nothing */
                            marker?: {
                                /** @description circle (default), arrow, square, triangle, diamond, star, cross or pin */
                                shape?: unknown;
                                /** @description The name of an icon of the project, which goes before the shape; default empty */
                                icon?: unknown;
                                /** @description Width, pixels, 1 to 500; default 10 */
                                size?: unknown;
                                /** @description A colour; default #d9480f */
                                color?: unknown;
                                /** @description 0 to 1 (default) */
                                opacity?: unknown;
                                /** @description Its edge: a colour; null (default): none */
                                stroke?: unknown;
                                /** @description Pixels, 0 to 100; default 1 */
                                strokeWidth?: unknown;
                            };
                            /** @description What is written; null (default): nothing */
                            label?: {
                                /** @description Required: the code of the column whose values are written */
                                column?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                font?: unknown;
                                /** @description Pixels, 4 to 200; default 12 */
                                size?: unknown;
                                /** @description A colour; default #333333 */
                                color?: unknown;
                                /** @description Around the letters: a colour; null (default): none */
                                halo?: unknown;
                                /** @description Pixels, 0 to 20; default 1.5 */
                                haloWidth?: unknown;
                                /** @description The zoom level from which on it is written, 0 (default) to 24 */
                                minZoom?: unknown;
                            };
                        };
                        /** @description A visualization of the types 1 to 7, replaced as a whole: what is absent has its default. Colours are #rrggbb, #rgb or rgb(r, g, b) */
                        visualSettings?: {
                            /** @description Of the visualization; not to be changed */
                            id?: unknown;
                            /** @description Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map */
                            type?: unknown;
                            /** @description Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none */
                            column?: unknown;
                            /** @description Its code, in place of the id */
                            columnCode?: unknown;
                            /** @description Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks */
                            algorithm?: unknown;
                            /** @description Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3 */
                            classesCount?: unknown;
                            /** @description By type */
                            classesSettings?: {
                                /** @description 0 to 1; default 0.9 (type 3: 0.75; type 7 has layerOpacity) */
                                opacity?: unknown;
                                /** @description Types 1 and 2: of lines, pixels, 0.1 to 50; default 2 */
                                lineWidth?: unknown;
                                /** @description Types 1 and 2: solid (default), dash, dot or dashdot */
                                linePattern?: unknown;
                                /** @description Type 1: colour of the lowest class; default #ffffcc */
                                minColor?: unknown;
                                /** @description Type 1: colour in the middle, null: none; default #41b6c4 */
                                midColor?: unknown;
                                /** @description Type 1: colour of the highest class; default #253494 */
                                maxColor?: unknown;
                                /** @description Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd */
                                noDataColor?: unknown;
                                /** @description Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data */
                                limits?: unknown;
                                /** @description Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values */
                                classes?: unknown;
                                /** @description Type 2: whether the service made the classes; sent back they are made again */
                                computed?: unknown;
                                /** @description Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked} */
                                defaultClass?: unknown;
                                /** @description Type 3: default #e6550d */
                                color?: unknown;
                                /** @description Type 3: least width, pixels, 1 to 200; default 4 */
                                pointSizeMin?: unknown;
                                /** @description Type 3: greatest width, pixels, 1 to 200; default 40 */
                                pointSizeMax?: unknown;
                                /** @description Type 3: the name of an icon */
                                icon?: unknown;
                                /** @description Type 3: whether it is drawn in place of a circle; default false */
                                useIcon?: unknown;
                                /** @description Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters */
                                columns?: unknown;
                                /** @description Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column */
                                sizeType?: unknown;
                                /** @description Types 4 to 6: fixed width, pixels, 4 to 200; default 40 */
                                sizeValue?: unknown;
                                /** @description Types 4 to 6: least width, pixels, 4 to 200; default 20 */
                                sizeFrom?: unknown;
                                /** @description Types 4 to 6: greatest width, pixels, 4 to 200; default 60 */
                                sizeTo?: unknown;
                                /** @description Types 4 to 6: id of the column of sizeType 3 */
                                sizeColumn?: unknown;
                                /** @description Types 4 to 6: its code, in place of the id */
                                sizeColumnCode?: unknown;
                                /** @description Types 5 and 6: whether axes are drawn; default false */
                                showScale?: unknown;
                                /** @description Types 4 to 6: whether charts may touch; default true */
                                allowOverlap?: unknown;
                                /** @description Type 7: fixed (default) or field */
                                markerSizeType?: unknown;
                                /** @description Type 7: how far an object reaches, pixels, 2 to 100; default 20 */
                                markerSize?: unknown;
                                /** @description Type 7: the least of field, pixels, 2 to 100; default 8 */
                                markerSizeMin?: unknown;
                                /** @description Type 7: the greatest of field, pixels, 2 to 100; default 40 */
                                markerSizeMax?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                markerSizeField?: unknown;
                                /** @description Type 7: factor of the density, 0 to 1 (default) */
                                markerOpacity?: unknown;
                                /** @description Type 7: 0 to 1; default 0.85 */
                                layerOpacity?: unknown;
                                /** @description Type 7: whether objects count as useWeightField says; default false */
                                useWeight?: unknown;
                                /** @description Type 7: id or code of a column of numbers */
                                useWeightField?: unknown;
                                /** @description Type 7: whether weights count from 0 to 1; default false */
                                weightNormalize?: unknown;
                                /** @description Type 7: the weight that counts 0; default null: the least of the data */
                                weightNormalizeMin?: unknown;
                                /** @description Type 7: the weight that counts 1; default null: the greatest of the data */
                                weightNormalizeMax?: unknown;
                                /** @description Type 7: whether sizes grow with the map; default false */
                                linkToScale?: unknown;
                                /** @description Type 7: the zoom level at which they hold, 0 to 24; default 5 */
                                linkToScaleZoom?: unknown;
                                /** @description Type 7: 2 to 20 colours from cold to hot */
                                colors?: unknown;
                            };
                            /** @description Markers of points */
                            pointSettings?: {
                                /** @description Whether size counts; default false: 10 pixels */
                                sizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 200; default 10 */
                                size?: unknown;
                                /** @description Whether markers may touch; default true */
                                allowOverlap?: unknown;
                            };
                            /** @description Whether areas and markers have an edge, and lines a casing; default true */
                            showBorder?: unknown;
                            /** @description The edge */
                            borderSettings?: {
                                /** @description Default #ffffff */
                                color?: unknown;
                                /** @description Pixels, 0 to 20; default 0.5 */
                                width?: unknown;
                                /** @description 0 to 1; default 1 */
                                opacity?: unknown;
                                /** @description solid (default), dash, dot or dashdot */
                                pattern?: unknown;
                            };
                            /** @description Whether labels are written; default false */
                            showText?: unknown;
                            /** @description Labels */
                            textSettings?: {
                                /** @description Code of the column that is written; required where showText is true */
                                column?: unknown;
                                /** @description Pixels, 4 to 72; default 11 */
                                fontSize?: unknown;
                                /** @description The full name of a font of the service; default DejaVu Sans Book */
                                fontFamily?: unknown;
                                /** @description Default #333333 */
                                fontColor?: unknown;
                                /** @description 0 to 1; default 1 */
                                fontOpacity?: unknown;
                                /** @description Whether letters have a halo; default true */
                                halo?: unknown;
                                /** @description Default #ffffff */
                                haloColor?: unknown;
                                /** @description Pixels, 0 to 10; default 1.5 */
                                haloWidth?: unknown;
                                /** @description 0 to 1; default 1 */
                                haloOpacity?: unknown;
                                /** @description Whether labels may touch; default false */
                                allowOverlap?: unknown;
                                /** @description Whether textOffset counts; default false */
                                offsetEnabled?: unknown;
                                /** @description Below the place, pixels, -200 to 200; default 0 */
                                textOffset?: unknown;
                            };
                            /** @description Whether viewers show the legend; default true */
                            showLegend?: unknown;
                            /** @description Whether its title is shown; default true */
                            showLegendName?: unknown;
                            /** @description Its title, at most 1,000 characters; default empty: the name of the layer */
                            legendName?: unknown;
                            /** @description Titles by language: at most 200 of {language: title}; they go before legendName */
                            legendNames?: unknown;
                            /** @description Whether numbers of objects are shown; default true */
                            showValues?: unknown;
                        };
                        /** @description id; type, the name of the plugin: hexbin; columns, UUID → id of a column; icons, UUID → path of an icon; settings, those of the plugin, which name columns and icons by their UUIDs */
                        visualCustomSettings?: {
                            [key: string]: unknown;
                        };
                        /** @description How a client draws the layer where render_type is 1; in a change what is absent keeps its value */
                        vectorSettings?: {
                            /** @description The layer; not to be changed */
                            id?: unknown;
                            /** @description Whether minZoom and maxZoom count; default false */
                            zoomsEnabled?: unknown;
                            /** @description Zoom level, 0 (default) to 24 */
                            minZoom?: unknown;
                            /** @description Zoom level, 0 to 24 (default) */
                            maxZoom?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesPolygon?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesText?: unknown;
                            /** @description Kept as it is sent, at most 10,000 characters as JSON; default {} */
                            stylesLine?: unknown;
                            /** @description Of points */
                            stylesPoint?: {
                                /** @description Path of an icon; default empty: a circle */
                                icon?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                            };
                            /** @description Whether points that are near are drawn as one; default false */
                            clusteringEnabled?: unknown;
                            /** @description Of clusters */
                            clusterSettings?: {
                                /** @description client */
                                clusteringType?: unknown;
                                /** @description How near, pixels, 1 to 500; default 50 */
                                radius?: unknown;
                                /** @description Whether maxZoom counts; default false */
                                maxZoomEnabled?: unknown;
                                /** @description The last zoom level with clusters, 0 to 24; default 16 */
                                maxZoom?: unknown;
                                /** @description Whether icon is drawn; default false */
                                iconEnabled?: unknown;
                                /** @description Path of an icon; default empty */
                                icon?: unknown;
                                /** @description Whether the icon is wider where there are more objects; default false */
                                iconSizeEnabled?: unknown;
                                /** @description Width, pixels, 1 to 512; default 30 */
                                iconSizeMin?: unknown;
                                /** @description Width, pixels, 1 to 512; default 60 */
                                iconSizeMax?: unknown;
                                /** @description Whether iconDx and iconDy count; default false */
                                iconOffsetEnabled?: unknown;
                                /** @description To the right. Pixels, -500 to 500; default 0 */
                                iconDx?: unknown;
                                /** @description Down. Pixels, -500 to 500; default 0 */
                                iconDy?: unknown;
                                /** @description Whether the number of objects is written; default true */
                                showObjectsCount?: unknown;
                                /** @description Of the number, to the right. Pixels, -500 to 500; default 0 */
                                objectsCountDx?: unknown;
                                /** @description Of the number, down. Pixels, -500 to 500; default 0 */
                                objectsCountDy?: unknown;
                                /** @description Whether objects of other categories of the visualization are other clusters; default false */
                                splitByCategories?: unknown;
                            };
                            /** @description Whether a click shows the value of a column; default false */
                            showPopup?: unknown;
                            /** @description Id of the column; null (default): none */
                            popupColumn?: unknown;
                            /** @description Code of the column, in place of its id */
                            popupColumnCode?: unknown;
                        };
                        import: {
                            /** @description Features in the file: stored and refused together */
                            read: number;
                            /** @description Objects added or changed */
                            stored: number;
                            /** @description With dry_run: that would be added */
                            added?: number;
                            /** @description With dry_run: that would be changed */
                            changed?: number;
                            /** @description Features left out */
                            refused: number;
                            /** @description The first 100 features left out, by their number from 1, and why */
                            errors: {
                                feature: number;
                                code: string;
                                message: string;
                            }[];
                            format: string;
                            /** @description Encoding of the texts in the file */
                            encoding: string | null;
                            /** @description said: by the parameter or the file; else how sure it is by the texts themselves */
                            encoding_certainty: ("said" | "certain" | "likely" | "uncertain") | null;
                            /** @description Projection of the coordinates in the file */
                            projection: string | null;
                            /** @description Kind of geometry → features */
                            geometries: {
                                [key: string]: number;
                            };
                            /** @description For tables: how each was interpreted */
                            tables?: {
                                delimiter?: string;
                                sheet?: string;
                                /** @description Whether the first row was taken for the names of the columns */
                                header: boolean;
                                /** @description The sign before fractions */
                                decimal: string | null;
                                /** @description Columns that became the geometry */
                                geometry: string[];
                            }[];
                            notes: string[];
                            /** @description With an image: what it is. null: it cannot be imported */
                            raster?: {
                                /** @description picture: colours; values: one band of numbers */
                                kind: string;
                                /** @description Width of the uploaded image, pixels */
                                width: number;
                                height: number;
                                bands: number;
                                /** @description Type of its values: Byte, UInt16, Float32 … */
                                type: string;
                                processed: {
                                    /** @description Width of the image in EPSG:3857, pixels */
                                    width: number;
                                    height: number;
                                    /** @description Metres of EPSG:3857 */
                                    pixel: number;
                                    bands: {
                                        type: string;
                                        nodata: number | null;
                                        min: number | null;
                                        max: number | null;
                                        mean: number | null;
                                        stddev: number | null;
                                        /** @description Below it lie two in a hundred values */
                                        low: number | null;
                                        /** @description Above it lie two in a hundred values */
                                        high: number | null;
                                    }[] | null;
                                };
                                /** @description West, south, east, north in degrees */
                                extent: number[];
                            } | null;
                            /** @description With dry_run of an upload: its id, by which an import takes it */
                            upload?: string;
                            /** @description With dry_run: the columns that take values */
                            columns?: {
                                code: string;
                                name: string;
                                type: string;
                                new: boolean;
                                /** @description The properties that give the values */
                                properties: string[];
                            }[];
                            /** @description With dry_run and rows: the first features as they would be stored */
                            rows?: {
                                /** @description Its number in the file, from 1 */
                                feature: number;
                                /** @description Code of the column → value; a text by its first 500 characters */
                                fields: {
                                    [key: string]: unknown;
                                };
                                /** @description GeoJSON in degrees; null without one, and for more than 1,000 points */
                                geom: unknown;
                            }[];
                            /** @description With dry_run and sketch: a GeoJSON FeatureCollection for a small map, of at most 50,000 positions; ids are numbers of features in the file */
                            sketch?: {
                                type: string;
                                features: unknown[];
                            };
                            /** @description With dry_run: west, south, east, north in degrees */
                            extent?: number[] | null;
                        };
                    };
                };
            };
            /** @description With async=1: the job; `Location` is its address */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {unknown} */
                        kind: "import" | "export";
                        /** @description Code of the map; null when the layer may no longer be viewed */
                        map: string | null;
                        /** @description Code of the layer; null when it may no longer be viewed */
                        layer: string | null;
                        /**
                         * @description done, failed and cancelled are final
                         * @enum {unknown}
                         */
                        state: "queued" | "running" | "done" | "failed" | "cancelled";
                        /** @description The current or last phase */
                        phase: ("reading" | "storing" | "indexing" | "writing" | "packing") | null;
                        /** @description Objects processed so far */
                        done: number;
                        /** @description Total number of objects; null if unknown */
                        total: number | null;
                        /** @description Progress of the phase; null if unknown */
                        percent: number | null;
                        /** @description Number of starts: more than one if the service stopped before the job ended */
                        attempts: number;
                        /** Format: date-time */
                        created: string;
                        /** @description Time of the last start; null while it waits */
                        started: string | null;
                        /** @description Time of its end */
                        finished: string | null;
                        /** @description For a completed import the answer of the direct call, for an export its file */
                        result: unknown;
                        /** @description For a failed job the error object of the direct call */
                        error: unknown;
                        /** @description With all=1: its owner; null without one */
                        login?: string | null;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJobs: {
        parameters: {
            query?: {
                /** @description Most jobs */
                limit?: number;
                /** @description The jobs of all users, each with `login` (administrator) */
                all?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {unknown} */
                        kind: "import" | "export";
                        /** @description Code of the map; null when the layer may no longer be viewed */
                        map: string | null;
                        /** @description Code of the layer; null when it may no longer be viewed */
                        layer: string | null;
                        /**
                         * @description done, failed and cancelled are final
                         * @enum {unknown}
                         */
                        state: "queued" | "running" | "done" | "failed" | "cancelled";
                        /** @description The current or last phase */
                        phase: ("reading" | "storing" | "indexing" | "writing" | "packing") | null;
                        /** @description Objects processed so far */
                        done: number;
                        /** @description Total number of objects; null if unknown */
                        total: number | null;
                        /** @description Progress of the phase; null if unknown */
                        percent: number | null;
                        /** @description Number of starts: more than one if the service stopped before the job ended */
                        attempts: number;
                        /** Format: date-time */
                        created: string;
                        /** @description Time of the last start; null while it waits */
                        started: string | null;
                        /** @description Time of its end */
                        finished: string | null;
                        /** @description For a completed import the answer of the direct call, for an export its file */
                        result: unknown;
                        /** @description For a failed job the error object of the direct call */
                        error: unknown;
                        /** @description With all=1: its owner; null without one */
                        login?: string | null;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Id of the job */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {unknown} */
                        kind: "import" | "export";
                        /** @description Code of the map; null when the layer may no longer be viewed */
                        map: string | null;
                        /** @description Code of the layer; null when it may no longer be viewed */
                        layer: string | null;
                        /**
                         * @description done, failed and cancelled are final
                         * @enum {unknown}
                         */
                        state: "queued" | "running" | "done" | "failed" | "cancelled";
                        /** @description The current or last phase */
                        phase: ("reading" | "storing" | "indexing" | "writing" | "packing") | null;
                        /** @description Objects processed so far */
                        done: number;
                        /** @description Total number of objects; null if unknown */
                        total: number | null;
                        /** @description Progress of the phase; null if unknown */
                        percent: number | null;
                        /** @description Number of starts: more than one if the service stopped before the job ended */
                        attempts: number;
                        /** Format: date-time */
                        created: string;
                        /** @description Time of the last start; null while it waits */
                        started: string | null;
                        /** @description Time of its end */
                        finished: string | null;
                        /** @description For a completed import the answer of the direct call, for an export its file */
                        result: unknown;
                        /** @description For a failed job the error object of the direct call */
                        error: unknown;
                        /** @description With all=1: its owner; null without one */
                        login?: string | null;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteJob: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Id of the job */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job: cancelled, or as it was before it was removed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {unknown} */
                        kind: "import" | "export";
                        /** @description Code of the map; null when the layer may no longer be viewed */
                        map: string | null;
                        /** @description Code of the layer; null when it may no longer be viewed */
                        layer: string | null;
                        /**
                         * @description done, failed and cancelled are final
                         * @enum {unknown}
                         */
                        state: "queued" | "running" | "done" | "failed" | "cancelled";
                        /** @description The current or last phase */
                        phase: ("reading" | "storing" | "indexing" | "writing" | "packing") | null;
                        /** @description Objects processed so far */
                        done: number;
                        /** @description Total number of objects; null if unknown */
                        total: number | null;
                        /** @description Progress of the phase; null if unknown */
                        percent: number | null;
                        /** @description Number of starts: more than one if the service stopped before the job ended */
                        attempts: number;
                        /** Format: date-time */
                        created: string;
                        /** @description Time of the last start; null while it waits */
                        started: string | null;
                        /** @description Time of its end */
                        finished: string | null;
                        /** @description For a completed import the answer of the direct call, for an export its file */
                        result: unknown;
                        /** @description For a failed job the error object of the direct call */
                        error: unknown;
                        /** @description With all=1: its owner; null without one */
                        login?: string | null;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJobEvents: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Id of the job */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJobFile: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Id of the job */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerIcon: {
        parameters: {
            query?: {
                /** @description Width and height, pixels */
                size?: number;
                /** @description 1: with the caller's own drafts in place of the saved styles. Needs a token; the answer is not cached */
                draft?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A PNG picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapLayerLegendClassIcon: {
        parameters: {
            query?: {
                /** @description Width and height, pixels */
                size?: number;
                /** @description 1: with the caller's own drafts in place of the saved styles. Needs a token; the answer is not cached */
                draft?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Place of the entry in `classificators`, from 0 */
                class: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A PNG picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIcons: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name in styles: `marker-file: url(name)` */
                        name: string;
                        /** @description URL of its picture; also a value of `icon` of layers and folders */
                        path: string;
                        /** @description image/svg+xml or image/png */
                        mime: string;
                        /** @description Pixels */
                        width: number;
                        /** @description Pixels */
                        height: number;
                        /** @description Whether it was uploaded; false: one of the initial icons */
                        own: boolean;
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postIcons: {
        parameters: {
            query?: {
                /** @description The name of the icon; that of the file without its ending when absent */
                name?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name in styles: `marker-file: url(name)` */
                        name: string;
                        /** @description URL of its picture; also a value of `icon` of layers and folders */
                        path: string;
                        /** @description image/svg+xml or image/png */
                        mime: string;
                        /** @description Pixels */
                        width: number;
                        /** @description Pixels */
                        height: number;
                        /** @description Whether it was uploaded; false: one of the initial icons */
                        own: boolean;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIcon: {
        parameters: {
            query?: {
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Name of the icon */
                icon: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "image/png": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putIcon: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Name of the icon */
                icon: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name in styles: `marker-file: url(name)` */
                        name: string;
                        /** @description URL of its picture; also a value of `icon` of layers and folders */
                        path: string;
                        /** @description image/svg+xml or image/png */
                        mime: string;
                        /** @description Pixels */
                        width: number;
                        /** @description Pixels */
                        height: number;
                        /** @description Whether it was uploaded; false: one of the initial icons */
                        own: boolean;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteIcon: {
        parameters: {
            query?: {
                /** @description Delete it even if layers are drawn with it: they cannot be drawn then */
                force?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Name of the icon */
                icon: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description true */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getImageUuid: {
        parameters: {
            query?: {
                /** @description Width; the proportions are kept when h is absent, pixels */
                w?: number;
                /** @description Height; the proportions are kept when w is absent, pixels */
                h?: number;
                /** @description How the picture comes into the box of w and h, as CSS object-fit does it. What it leaves empty is transparent, in JPEG white */
                fit?: "none" | "fill" | "contain" | "cover" | "scale-down";
                /** @description Format of the result; that of the source when absent */
                f?: "png" | "jpg" | "jpeg";
            };
            header?: never;
            path: {
                /** @description Uuid of the file */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                    "image/gif": string;
                    "image/avif": string;
                    "image/tiff": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapIdentify: {
        parameters: {
            query: {
                /** @description Longitude, degrees */
                lon: number;
                /** @description Latitude, degrees */
                lat: number;
                /** @description Zoom level of the tiles that are looked at */
                z: number;
                /** @description Pixels of a tile around the point in which an object is found, too */
                tolerance?: number;
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description 1: each object says what drew it, `drawn_by` */
                rules?: "0" | "1" | "true" | "false";
                /** @description Most objects */
                limit?: number;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The objects, the topmost first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Code of the layer */
                        layer: string;
                        layer_id: number;
                        /** @description Id of the object in its layer */
                        svc_id: number;
                        /** @description Pixels from the point to the object as it is drawn; 0: it is drawn there */
                        distance: number;
                        /** @description What drew the object; with rules=1 */
                        drawn_by?: {
                            /** @description Of a visualization: number of the class, from 1; 0: none of the classes */
                            class?: number;
                            /** @description Of a style, from the bottom to the top */
                            rules?: {
                                /** @description Empty: the own style of the layer */
                                attachment: string;
                                symbolizers: string[];
                                /** @description The blocks of the style that the rule joins */
                                blocks: {
                                    /** @description With those of the blocks around it */
                                    selector: string;
                                    /** @description Where the block begins in css_style, from 1 */
                                    line: number;
                                    column: number;
                                    /** @description Those that count for the object */
                                    properties: string[];
                                }[];
                            }[];
                        };
                    }[];
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTmsProjectMap: {
        parameters: {
            query: {
                /** @description Zoom level, 0 to 24 */
                z: number;
                /** @description Column, from the west */
                x: number;
                /** @description Row, from the south (TMS) */
                y: number;
                /** @description Whether the map's background is painted, and its base layer drawn */
                base?: "0" | "1" | "true" | "false";
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description 2 gives 512 × 512 pixels */
                retina?: number;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description 0 = full-colour PNG, 1 = limited palette (PNG8); when absent 0, or 1 where all that is drawn lies in folders of tiles_quality 1 */
                q?: "0" | "1";
                /** @description 1: with the caller's own drafts in place of the saved styles. Needs a token; the answer is not cached */
                draft?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A PNG picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMvtProjectMapZXYPbf: {
        parameters: {
            query?: {
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Codes of columns with commas, or * for all. When absent: the column of the popup (vectorSettings) and the one that names the objects */
                fields?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Zoom level, 0 to 24 */
                z: number;
                /** @description Column, from the west */
                x: number;
                /** @description Row, from the north (XYZ) */
                y: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Mapbox vector tile (2.1) */
            200: {
                headers: {
                    /** @description Where a part is left out: `<layer code>=<kept>/<of>` for each layer of which objects are missing, with commas */
                    "Cartulary-Truncated"?: unknown;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMvtProjectMapTilejsonJson: {
        parameters: {
            query?: {
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Codes of columns with commas, or * for all. When absent: the column of the popup (vectorSettings) and the one that names the objects */
                fields?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description TileJSON */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWmtsProjectMap: {
        parameters: {
            query?: {
                /** @description WMTS; names of parameters have no case */
                service?: string;
                /** @description GetCapabilities or GetTile */
                request?: string;
                /** @description 1.0.0 */
                version?: string;
                /** @description Versions that the client takes */
                acceptversions?: string;
                /** @description Code of a layer, or map.all */
                layer?: string;
                /** @description default */
                style?: string;
                /** @description WebMercatorQuad, WorldCRS84Quad, or EPSG and the code of a projected system */
                tilematrixset?: string;
                /** @description 0 to 24 */
                tilematrix?: string;
                /** @description Row, from the north */
                tilerow?: string;
                /** @description Column, from the west */
                tilecol?: string;
                /** @description image/png, image/webp or image/jpeg */
                format?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Capabilities or a tile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                    "image/png": string;
                    "image/webp": string;
                    "image/jpeg": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postWmtsProjectMap: {
        parameters: {
            query?: {
                /** @description WMTS; names of parameters have no case */
                service?: string;
                /** @description GetCapabilities or GetTile */
                request?: string;
                /** @description 1.0.0 */
                version?: string;
                /** @description Versions that the client takes */
                acceptversions?: string;
                /** @description Code of a layer, or map.all */
                layer?: string;
                /** @description default */
                style?: string;
                /** @description WebMercatorQuad, WorldCRS84Quad, or EPSG and the code of a projected system */
                tilematrixset?: string;
                /** @description 0 to 24 */
                tilematrix?: string;
                /** @description Row, from the north */
                tilerow?: string;
                /** @description Column, from the west */
                tilecol?: string;
                /** @description image/png, image/webp or image/jpeg */
                format?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description WMTS; names of parameters have no case */
                    service?: string;
                    /** @description GetCapabilities or GetTile */
                    request?: string;
                    /** @description 1.0.0 */
                    version?: string;
                    /** @description Versions that the client takes */
                    acceptversions?: string;
                    /** @description Code of a layer, or map.all */
                    layer?: string;
                    /** @description default */
                    style?: string;
                    /** @description WebMercatorQuad, WorldCRS84Quad, or EPSG and the code of a projected system */
                    tilematrixset?: string;
                    /** @description 0 to 24 */
                    tilematrix?: string;
                    /** @description Row, from the north */
                    tilerow?: string;
                    /** @description Column, from the west */
                    tilecol?: string;
                    /** @description image/png, image/webp or image/jpeg */
                    format?: string;
                    /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                    filter?: string;
                    /** @description Language of names and localized values; the main language of the map when absent */
                    lng?: string;
                    /**
                     * @description Taken as everywhere; the answer has one form
                     * @enum {unknown}
                     */
                    f?: "json" | "fjson" | "png" | "pbf";
                    /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                    token?: string;
                };
            };
        };
        responses: {
            /** @description Capabilities or a tile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                    "image/png": string;
                    "image/webp": string;
                    "image/jpeg": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWmtsProjectMap100WMTSCapabilitiesXml: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Capabilities */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWmtsProjectMapLayerStyleMatrixSetZYXFormat: {
        parameters: {
            query?: {
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description The style */
                style: string;
                /** @description The matrixSet */
                matrixSet: string;
                /** @description The z */
                z: string;
                /** @description The y */
                y: string;
                /** @description The x */
                x: string;
                /** @description The format */
                format: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/webp": string;
                    "image/jpeg": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWmsProjectMap: {
        parameters: {
            query?: {
                /** @description WMS; names of parameters have no case */
                service?: string;
                /** @description GetCapabilities, GetMap, GetFeatureInfo or GetLegendGraphic */
                request?: string;
                /** @description 1.3.0 or 1.1.1 */
                version?: string;
                /** @description Codes of layers or folders, the lowest first, or map.all */
                layers?: string;
                /** @description default */
                styles?: string;
                /** @description CRS:84, or an EPSG code (1.3.0) */
                crs?: string;
                /** @description An EPSG code (1.1.1) */
                srs?: string;
                /** @description Lower and upper corner, in the order of the axes */
                bbox?: string;
                /** @description Pixels; of GetLegendGraphic those of one sample, 1 to 512, 20 when absent */
                width?: string;
                /** @description Pixels; of GetLegendGraphic those of one sample, 1 to 512, 20 when absent */
                height?: string;
                /** @description image/png, image/webp, image/jpeg, image/png; mode=8bit, image/gif; of GetLegendGraphic application/json, too */
                format?: string;
                /** @description TRUE or FALSE */
                transparent?: string;
                /** @description Colour such as 0xFFFFFF */
                bgcolor?: string;
                /** @description Resolution of the picture; symbols grow with it. Also map_resolution and format_options=dpi:… */
                dpi?: string;
                /** @description CQL2, for each layer that has all of its columns; also cql_filter */
                filter?: string;
                /** @description Layers of GetFeatureInfo */
                query_layers?: string;
                /** @description text/plain, text/html, application/json or application/vnd.ogc.gml */
                info_format?: string;
                /** @description Most objects of GetFeatureInfo */
                feature_count?: string;
                /** @description Pixel of GetFeatureInfo, from the west */
                i?: string;
                /** @description Pixel of GetFeatureInfo, from the north */
                j?: string;
                /** @description Form of the errors of GetMap: XML, INIMAGE or BLANK, or their names of 1.1.1 */
                exceptions?: string;
                /** @description Layer of GetLegendGraphic */
                layer?: string;
                /** @description Title of the one entry that GetLegendGraphic draws, without its text */
                rule?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Capabilities, a picture, or objects */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/xml": string;
                    "image/png": string;
                    "image/webp": string;
                    "image/jpeg": string;
                    "image/gif": string;
                    "text/plain": string;
                    "text/html": string;
                    "application/json": string;
                    "application/vnd.ogc.gml": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postWmsProjectMap: {
        parameters: {
            query?: {
                /** @description WMS; names of parameters have no case */
                service?: string;
                /** @description GetCapabilities, GetMap, GetFeatureInfo or GetLegendGraphic */
                request?: string;
                /** @description 1.3.0 or 1.1.1 */
                version?: string;
                /** @description Codes of layers or folders, the lowest first, or map.all */
                layers?: string;
                /** @description default */
                styles?: string;
                /** @description CRS:84, or an EPSG code (1.3.0) */
                crs?: string;
                /** @description An EPSG code (1.1.1) */
                srs?: string;
                /** @description Lower and upper corner, in the order of the axes */
                bbox?: string;
                /** @description Pixels; of GetLegendGraphic those of one sample, 1 to 512, 20 when absent */
                width?: string;
                /** @description Pixels; of GetLegendGraphic those of one sample, 1 to 512, 20 when absent */
                height?: string;
                /** @description image/png, image/webp, image/jpeg, image/png; mode=8bit, image/gif; of GetLegendGraphic application/json, too */
                format?: string;
                /** @description TRUE or FALSE */
                transparent?: string;
                /** @description Colour such as 0xFFFFFF */
                bgcolor?: string;
                /** @description Resolution of the picture; symbols grow with it. Also map_resolution and format_options=dpi:… */
                dpi?: string;
                /** @description CQL2, for each layer that has all of its columns; also cql_filter */
                filter?: string;
                /** @description Layers of GetFeatureInfo */
                query_layers?: string;
                /** @description text/plain, text/html, application/json or application/vnd.ogc.gml */
                info_format?: string;
                /** @description Most objects of GetFeatureInfo */
                feature_count?: string;
                /** @description Pixel of GetFeatureInfo, from the west */
                i?: string;
                /** @description Pixel of GetFeatureInfo, from the north */
                j?: string;
                /** @description Form of the errors of GetMap: XML, INIMAGE or BLANK, or their names of 1.1.1 */
                exceptions?: string;
                /** @description Layer of GetLegendGraphic */
                layer?: string;
                /** @description Title of the one entry that GetLegendGraphic draws, without its text */
                rule?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description WMS; names of parameters have no case */
                    service?: string;
                    /** @description GetCapabilities, GetMap, GetFeatureInfo or GetLegendGraphic */
                    request?: string;
                    /** @description 1.3.0 or 1.1.1 */
                    version?: string;
                    /** @description Codes of layers or folders, the lowest first, or map.all */
                    layers?: string;
                    /** @description default */
                    styles?: string;
                    /** @description CRS:84, or an EPSG code (1.3.0) */
                    crs?: string;
                    /** @description An EPSG code (1.1.1) */
                    srs?: string;
                    /** @description Lower and upper corner, in the order of the axes */
                    bbox?: string;
                    /** @description Pixels; of GetLegendGraphic those of one sample, 1 to 512, 20 when absent */
                    width?: string;
                    /** @description Pixels; of GetLegendGraphic those of one sample, 1 to 512, 20 when absent */
                    height?: string;
                    /** @description image/png, image/webp, image/jpeg, image/png; mode=8bit, image/gif; of GetLegendGraphic application/json, too */
                    format?: string;
                    /** @description TRUE or FALSE */
                    transparent?: string;
                    /** @description Colour such as 0xFFFFFF */
                    bgcolor?: string;
                    /** @description Resolution of the picture; symbols grow with it. Also map_resolution and format_options=dpi:… */
                    dpi?: string;
                    /** @description CQL2, for each layer that has all of its columns; also cql_filter */
                    filter?: string;
                    /** @description Layers of GetFeatureInfo */
                    query_layers?: string;
                    /** @description text/plain, text/html, application/json or application/vnd.ogc.gml */
                    info_format?: string;
                    /** @description Most objects of GetFeatureInfo */
                    feature_count?: string;
                    /** @description Pixel of GetFeatureInfo, from the west */
                    i?: string;
                    /** @description Pixel of GetFeatureInfo, from the north */
                    j?: string;
                    /** @description Form of the errors of GetMap: XML, INIMAGE or BLANK, or their names of 1.1.1 */
                    exceptions?: string;
                    /** @description Layer of GetLegendGraphic */
                    layer?: string;
                    /** @description Title of the one entry that GetLegendGraphic draws, without its text */
                    rule?: string;
                    /** @description Language of names and localized values; the main language of the map when absent */
                    lng?: string;
                    /**
                     * @description Taken as everywhere; the answer has one form
                     * @enum {unknown}
                     */
                    f?: "json" | "fjson" | "png" | "pbf";
                    /** @description Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field) */
                    token?: string;
                };
            };
        };
        responses: {
            /** @description Capabilities, a picture, or objects */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/xml": string;
                    "image/png": string;
                    "image/webp": string;
                    "image/jpeg": string;
                    "image/gif": string;
                    "text/plain": string;
                    "text/html": string;
                    "application/json": string;
                    "application/vnd.ogc.gml": string;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTilesProjectMapZXYFormat: {
        parameters: {
            query?: {
                /** @description Whether the map's background is painted, and its base layer drawn */
                base?: "0" | "1" | "true" | "false";
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description 0 = full-colour PNG, 1 = limited palette (PNG8); when absent 0, or 1 where all that is drawn lies in folders of tiles_quality 1 */
                q?: "0" | "1";
                /** @description 1: with the caller's own drafts in place of the saved styles. Needs a token; the answer is not cached */
                draft?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Zoom level, 0 to 24 */
                z: number;
                /** @description Column, from the west */
                x: number;
                /** @description Row, from the north (XYZ); `@2x` after it gives 512 × 512 pixels, `@1x` to `@4x` are possible */
                y: string;
                /** @description png, webp or jpg; mvt is a vector tile */
                format: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/webp": string;
                    "image/jpeg": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTilesProjectMapZXYMvt: {
        parameters: {
            query?: {
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Codes of columns with commas, or * for all. When absent: the column of the popup (vectorSettings) and the one that names the objects */
                fields?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Zoom level, 0 to 24 */
                z: number;
                /** @description Column, from the west */
                x: number;
                /** @description Row, from the north (XYZ) */
                y: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Mapbox vector tile (2.1) */
            200: {
                headers: {
                    /** @description Where a part is left out: `<layer code>=<kept>/<of>` for each layer of which objects are missing, with commas */
                    "Cartulary-Truncated"?: unknown;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTilesProjectMapZXYPbf: {
        parameters: {
            query?: {
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Codes of columns with commas, or * for all. When absent: the column of the popup (vectorSettings) and the one that names the objects */
                fields?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Zoom level, 0 to 24 */
                z: number;
                /** @description Column, from the west */
                x: number;
                /** @description Row, from the north (XYZ) */
                y: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Mapbox vector tile (2.1) */
            200: {
                headers: {
                    /** @description Where a part is left out: `<layer code>=<kept>/<of>` for each layer of which objects are missing, with commas */
                    "Cartulary-Truncated"?: unknown;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTilesProjectMapTilejsonJson: {
        parameters: {
            query?: {
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description Whether the map's background is painted, and its base layer drawn */
                base?: "0" | "1" | "true" | "false";
                /** @description 0 = full-colour PNG, 1 = limited palette (PNG8); when absent 0, or 1 where all that is drawn lies in folders of tiles_quality 1 */
                q?: "0" | "1";
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description 2 gives 512 × 512 pixels */
                retina?: number;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
                /** @description Format of the tiles; mvt: vector tiles */
                format?: "png" | "webp" | "jpg" | "mvt";
                /** @description Codes of columns with commas, or * for all. When absent: the column of the popup (vectorSettings) and the one that names the objects */
                fields?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description TileJSON */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTilesProjectMapStyleJson: {
        parameters: {
            query?: {
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description Whether the map's background is painted, and its base layer drawn */
                base?: "0" | "1" | "true" | "false";
                /** @description 0 = full-colour PNG, 1 = limited palette (PNG8); when absent 0, or 1 where all that is drawn lies in folders of tiles_quality 1 */
                q?: "0" | "1";
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description 2 gives 512 × 512 pixels */
                retina?: number;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
                /** @description Format of the raster tiles */
                format?: "png" | "webp" | "jpg";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A MapLibre style */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTilesProjectMapSpriteJson: {
        parameters: {
            query?: {
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description Whether the map's background is painted, and its base layer drawn */
                base?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Name of an icon → its place */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTilesProjectMapSpritePng: {
        parameters: {
            query?: {
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description Whether the map's background is painted, and its base layer drawn */
                base?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A PNG picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTilesProjectMapSprite2xJson: {
        parameters: {
            query?: {
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description Whether the map's background is painted, and its base layer drawn */
                base?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Name of an icon → its place */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTilesProjectMapSprite2xPng: {
        parameters: {
            query?: {
                /** @description Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree */
                layers?: string;
                /** @description Whether the map's background is painted, and its base layer drawn */
                base?: "0" | "1" | "true" | "false";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A PNG picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTilesProjectMapGlyphsFontsRangePbf: {
        parameters: {
            query?: {
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Response format */
                f?: "json" | "fjson";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Names of fonts, with commas between them */
                fonts: string;
                /** @description Characters: 0-255 to 65280-65535 */
                range: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Glyphs as signed distance fields */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProject: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMap: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapConformance: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapApi: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.oai.openapi+json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollections: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayer: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerQueryables: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerSortables: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerSchema: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerFeatureSchema: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerItems: {
        parameters: {
            query?: {
                /** @description Most features of a page, 1 to 50,000 (a setting); 10,000 when absent */
                limit?: string;
                /** @description West, south, east, north in the system of bbox-crs: features whose geometry meets the box */
                bbox?: string;
                /** @description Coordinate reference system of bbox; CRS84 when absent */
                "bbox-crs"?: string;
                /** @description Coordinate reference system of the geometries; CRS84 when absent */
                crs?: string;
                /** @description datetime */
                datetime?: string | string[];
                /** @description A CQL2 filter over the columns and `geom` */
                filter?: string;
                /** @description cql2-text (default) or cql2-json */
                "filter-lang"?: string;
                /** @description Coordinate reference system of the geometries in filter; CRS84 when absent */
                "filter-crs"?: string;
                /** @description Columns, separated by commas, + or - before each */
                sortby?: string;
                /** @description Codes of the columns to return, separated by commas; all when absent */
                properties?: string;
                /** @description Where the page begins, from a link next */
                cursor?: string;
                /** @description How many features to skip, for programs that do not follow links; not with cursor */
                offset?: string;
                /** @description How many pages before cursor the page lies, from a link prev */
                before?: string;
                /** @description How many features behind cursor the page begins, from a link next of a list in the order of long texts */
                skip?: string;
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "geojson" | "html" | "shp" | "mif" | "tab" | "kml" | "kmz" | "xls" | "csv" | "geojsonl" | "xlsx" | "gpkg" | "fgb" | "parquet";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description GeoJSON, a file, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": string;
                    "*/*": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postOgcProjectMapCollectionsLayerItems: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        /** @description A GeoJSON feature; its geometry in CRS84, or in the system of the header Content-Crs */
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type?: "Feature";
                    /** @description Values by the codes of columns */
                    properties?: Record<string, unknown> | null;
                    /** @description GeoJSON geometry, or null */
                    geometry?: unknown;
                };
            };
        };
        responses: {
            /** @description It is created; Location has its address */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerItemsObject: {
        parameters: {
            query?: {
                /** @description Coordinate reference system of the geometries; CRS84 when absent */
                crs?: string;
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "geojson" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Id of the feature */
                object: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putOgcProjectMapCollectionsLayerItemsObject: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Id of the feature */
                object: number;
            };
            cookie?: never;
        };
        /** @description A GeoJSON feature; its geometry in CRS84, or in the system of the header Content-Crs */
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type?: "Feature";
                    /** @description Values by the codes of columns */
                    properties?: Record<string, unknown> | null;
                    /** @description GeoJSON geometry, or null */
                    geometry?: unknown;
                };
            };
        };
        responses: {
            /** @description It is done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteOgcProjectMapCollectionsLayerItemsObject: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Id of the feature */
                object: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchOgcProjectMapCollectionsLayerItemsObject: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: {
                /** @description ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case */
                "if-match"?: string;
            };
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description Id of the feature */
                object: number;
            };
            cookie?: never;
        };
        /** @description A GeoJSON feature; its geometry in CRS84, or in the system of the header Content-Crs */
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type?: "Feature";
                    /** @description Values by the codes of columns */
                    properties?: Record<string, unknown> | null;
                    /** @description GeoJSON geometry, or null */
                    geometry?: unknown;
                };
            };
        };
        responses: {
            /** @description It is done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapTileMatrixSets: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapTileMatrixSetsSet: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description The set */
                set: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapTiles: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapTilesSet: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description The set */
                set: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapTilesSetZYX: {
        parameters: {
            query?: {
                /** @description Collections of the map, the lowest first, with commas */
                collections?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Form of the answer; absent: by the header Accept */
                f?: "mvt";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description The set */
                set: string;
                /** @description The z */
                z: string;
                /** @description The y */
                y: string;
                /** @description The x */
                x: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapMapTiles: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapMapTilesSet: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description The set */
                set: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapMapTilesSetZYX: {
        parameters: {
            query?: {
                /** @description Collections of the map, the lowest first, with commas */
                collections?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Form of the answer; absent: by the header Accept */
                f?: "png" | "webp" | "jpeg";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description The set */
                set: string;
                /** @description The z */
                z: string;
                /** @description The y */
                y: string;
                /** @description The x */
                x: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/webp": string;
                    "image/jpeg": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerTiles: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerTilesSet: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description The set */
                set: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerTilesSetZYX: {
        parameters: {
            query?: {
                /** @description Collections of the map, the lowest first, with commas */
                collections?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Form of the answer; absent: by the header Accept */
                f?: "mvt";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description The set */
                set: string;
                /** @description The z */
                z: string;
                /** @description The y */
                y: string;
                /** @description The x */
                x: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerMapTiles: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerMapTilesSet: {
        parameters: {
            query?: {
                /** @description Form of the answer; absent: by the header Accept */
                f?: "json" | "html";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description The set */
                set: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerMapTilesSetZYX: {
        parameters: {
            query?: {
                /** @description Collections of the map, the lowest first, with commas */
                collections?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Form of the answer; absent: by the header Accept */
                f?: "png" | "webp" | "jpeg";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
                /** @description The set */
                set: string;
                /** @description The z */
                z: string;
                /** @description The y */
                y: string;
                /** @description The x */
                x: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/webp": string;
                    "image/jpeg": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapMap: {
        parameters: {
            query?: {
                /** @description Collections of the map, the lowest first, with commas */
                collections?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Lower and upper corner, in the order of the axes of bbox-crs; with a west beyond the east, a box across 180 degrees. Absent: all that is drawn. Heights of six numbers choose nothing */
                bbox?: string;
                /** @description Reference system of bbox; CRS84 when absent */
                "bbox-crs"?: string;
                /** @description The box as intervals of axes: Lat and Lon, or E and N of a projected system, such as Lat(40:50),Lon(10:20). An axis that is left out: all that is drawn. Not with bbox or center */
                subset?: string | string[];
                /** @description Reference system of subset; CRS84 when absent */
                "subset-crs"?: string;
                /** @description Middle of the picture, in the order of the axes of center-crs; width, height and scale-denominator say what is around it. Not with bbox or subset */
                center?: string;
                /** @description Reference system of center; CRS84 when absent */
                "center-crs"?: string;
                /** @description Reference system of the picture; EPSG:3857 when absent */
                crs?: string;
                /** @description Width in pixels; absent: by the other one and the box, or as the other one where there is no box */
                width?: number;
                /** @description Height in pixels; absent: by the other one and the box, or as the other one where there is no box */
                height?: number;
                /** @description Metres on the ground per metre of the display, at the middle of the picture. With bbox or subset it says the size, and width and height are refused */
                "scale-denominator"?: number;
                /** @description Side of a pixel of the display; 0.28 when absent */
                "mm-per-pixel"?: number;
                /** @description Colour behind the map, such as 0xFFFFFF or white */
                bgcolor?: string;
                /** @description Whether the picture has no background; true without bgcolor */
                transparent?: "true" | "false";
                /** @description Form of the answer; absent: by the header Accept */
                f?: "png" | "webp" | "jpeg";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/webp": string;
                    "image/jpeg": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOgcProjectMapCollectionsLayerMap: {
        parameters: {
            query?: {
                /** @description Collections of the map, the lowest first, with commas */
                collections?: string;
                /** @description CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole */
                filter?: string;
                /** @description Lower and upper corner, in the order of the axes of bbox-crs; with a west beyond the east, a box across 180 degrees. Absent: all that is drawn. Heights of six numbers choose nothing */
                bbox?: string;
                /** @description Reference system of bbox; CRS84 when absent */
                "bbox-crs"?: string;
                /** @description The box as intervals of axes: Lat and Lon, or E and N of a projected system, such as Lat(40:50),Lon(10:20). An axis that is left out: all that is drawn. Not with bbox or center */
                subset?: string | string[];
                /** @description Reference system of subset; CRS84 when absent */
                "subset-crs"?: string;
                /** @description Middle of the picture, in the order of the axes of center-crs; width, height and scale-denominator say what is around it. Not with bbox or subset */
                center?: string;
                /** @description Reference system of center; CRS84 when absent */
                "center-crs"?: string;
                /** @description Reference system of the picture; EPSG:3857 when absent */
                crs?: string;
                /** @description Width in pixels; absent: by the other one and the box, or as the other one where there is no box */
                width?: number;
                /** @description Height in pixels; absent: by the other one and the box, or as the other one where there is no box */
                height?: number;
                /** @description Metres on the ground per metre of the display, at the middle of the picture. With bbox or subset it says the size, and width and height are refused */
                "scale-denominator"?: number;
                /** @description Side of a pixel of the display; 0.28 when absent */
                "mm-per-pixel"?: number;
                /** @description Colour behind the map, such as 0xFFFFFF or white */
                bgcolor?: string;
                /** @description Whether the picture has no background; true without bgcolor */
                transparent?: "true" | "false";
                /** @description Form of the answer; absent: by the header Accept */
                f?: "png" | "webp" | "jpeg";
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
                /** @description Code of the layer */
                layer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/webp": string;
                    "image/jpeg": string;
                };
            };
            /** @description The client has it already: If-None-Match names its ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWfsProjectMap: {
        parameters: {
            query?: {
                /** @description WFS; names of parameters have no case */
                service?: string;
                /** @description GetCapabilities, DescribeFeatureType, GetFeature, GetPropertyValue, ListStoredQueries or DescribeStoredQueries */
                request?: string;
                /** @description 2.0.0 */
                version?: string;
                /** @description Code of a layer, with or without the prefix map: */
                typenames?: string;
                /** @description Most features of the answer */
                count?: string;
                /** @description How many features to skip */
                startindex?: string;
                /** @description results (default), or hits: their number alone */
                resulttype?: string;
                /** @description Coordinate reference system of the geometries; urn:ogc:def:crs:EPSG::4326 when absent */
                srsname?: string;
                /** @description Two corners, and the name of their system */
                bbox?: string;
                /** @description Columns to return, separated by commas */
                propertyname?: string;
                /** @description Columns with ASC or DESC, separated by commas */
                sortby?: string;
                /** @description Ids of features, such as towns.5 */
                resourceid?: string;
                /** @description A Filter of FES 2.0 */
                filter?: string;
                /** @description A filter in CQL2; its geometries are in longitude and latitude */
                cql_filter?: string;
                /** @description application/gml+xml; version=3.2 (default) or application/json */
                outputformat?: string;
                /** @description point, line or polygon: kind of the geometries of layers without any, as the schema says it; programs ask before they add the first */
                geometry?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description XML, or features as GeoJSON */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/xml": string;
                    "application/gml+xml": string;
                    "application/json": string;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postWfsProjectMap: {
        parameters: {
            query?: {
                /** @description point, line or polygon: kind of the geometries of layers without any, as the schema says it; programs ask before they add the first */
                geometry?: string;
                /** @description Language of names and localized values; the main language of the map when absent */
                lng?: string;
                /** @description Taken as everywhere; the answer has one form */
                f?: "json" | "fjson" | "png" | "pbf";
            };
            header?: never;
            path: {
                /** @description Code of the map */
                map: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description XML, or features as GeoJSON */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/xml": string;
                    "application/gml+xml": string;
                    "application/json": string;
                };
            };
            /** @description An error of the catalogue */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
